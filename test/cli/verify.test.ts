import { expect, test } from "vitest";
import { A_TASK, aProject, eventsOf } from "./holdfast.ts";

test("a verifier that fails gives 1, and one that passes 0 as long as it is current", async () => {
  const { answer, write } = await aProject();
  await answer(["task", "start", ...A_TASK]);
  const failed = await answer(["verify"]);
  expect(failed).toEqual({
    code: 1,
    json: {
      results: [
        {
          command: "sh check.sh",
          exitCode: 1,
          signal: null,
          verdict: "fail",
          reason: null,
          tree: expect.stringMatching(/^[0-9a-f]{64}$/),
          current: false,
          seq: 7,
        },
      ],
    },
  });
  await write("check.sh", "exit 0\n");
  expect(await answer(["verify"])).toMatchObject({
    code: 0,
    json: { results: [{ verdict: "pass", exitCode: 0, current: true }] },
  });
  await write("check.sh", "exit 0 # again\n");
  const { json } = await answer(["status"]);
  expect(json.verifiers).toMatchObject([{ currency: "stale", changed: { paths: ["check.sh"] } }]);
});

test("a verifier that changes the tree is told to be out of date at once", async () => {
  const { answer } = await aProject();
  const verifier = ["--verify", "date +%N > made.txt"];
  await answer(["task", "start", ...A_TASK.slice(0, 6), ...verifier]);
  expect(await answer(["verify"])).toMatchObject({
    code: 1,
    json: { results: [{ verdict: "pass", current: false }] },
  });
});

test("verify stops at the first that does not pass, unless --all", async () => {
  const { answer, holdfast } = await aProject();
  const verifiers = ["test -d sub", "exit 4", "test -f check.sh"];
  const options = verifiers.flatMap((command) => ["--verify", command]);
  await answer(["task", "start", ...A_TASK.slice(0, 6), ...options]);
  const verdicts = (json: { results: readonly { verdict: string }[] }) =>
    json.results.map(({ verdict }) => verdict);
  const first = await answer(["verify"]);
  expect({ ...first, json: verdicts(first.json) }).toEqual({ code: 1, json: ["pass", "fail"] });
  const all = await answer(["verify", "--all"]);
  expect({ ...all, json: verdicts(all.json) }).toEqual({ code: 1, json: ["pass", "fail", "pass"] });
  expect(await holdfast(["verify"])).toMatchObject({
    code: 1,
    stdout: expect.stringContaining("1 more command not run; --all goes on regardless."),
  });
});

test("the verifiers' own output is on stdout for people, and on stderr beside data", async () => {
  const { answer, holdfast, write } = await aProject();
  await write("talk.sh", "echo one; echo two >&2\n");
  await answer(["task", "start", ...A_TASK.slice(0, 6), "--verify", "sh talk.sh"]);
  const forPeople = await holdfast(["verify"]);
  expect(forPeople).toMatchObject({ code: 0, stderr: "two\n" });
  expect(forPeople.stdout).toMatch(/^one\n✓ pass \(exit 0, event \d+\): sh talk\.sh\n/);
  const asData = await holdfast(["verify", "--json"]);
  expect(JSON.parse(asData.stdout).results).toHaveLength(1);
  expect(asData.stderr.split("\n").toSorted()).toEqual(["", "one", "two"]);
});

test("verifiers run in the project folder, wherever verify is called", async () => {
  const { answer, write, folder } = await aProject();
  await answer(["task", "start", ...A_TASK]);
  await write("check.sh", "test -d sub\n");
  expect(await answer(["verify"], { folder: `${folder}/sub` })).toMatchObject({
    code: 0,
    json: { results: [{ current: true }] },
  });
});

test("a verifier has the time that the task gives it, or that the call gives", async () => {
  const { answer } = await aProject();
  const verifier = ["--verify", "sleep 600", "--verify-timeout", "0.2"];
  await answer(["task", "start", ...A_TASK.slice(0, 6), ...verifier]);
  const outOfTime = {
    code: 1,
    json: { results: [{ verdict: "inconclusive", reason: "timed-out", signal: "SIGTERM" }] },
  };
  expect(await answer(["verify"])).toMatchObject(outOfTime);
  expect(await answer(["verify", "--timeout", "0.1"])).toMatchObject(outOfTime);
});

test("the exact verifier counts however it is run: by exec as by verify", async () => {
  const project = await aProject();
  const { answer, holdfast, write } = project;
  await answer(["task", "start", ...A_TASK]);
  await write("check.sh", "exit 0\n");
  for (const words of [
    ["--", "sh", "check.sh"],
    ["-c", "sh check.sh"],
  ]) {
    await write("note.txt", words.join(" "));
    expect(await holdfast(["exec", ...words])).toMatchObject({ code: 0 });
    const { json } = await answer(["status"]);
    expect(json.verifiers).toMatchObject([{ currency: "current" }]);
  }
  const observed = (await eventsOf(project)).filter((it) => it.header.type === "command.observed");
  expect(new Set(observed.map(({ body }) => body.commandHash)).size).toBe(1);
});

test("with a key verify runs once", async () => {
  const project = await aProject();
  await project.answer(["task", "start", ...A_TASK]);
  const first = await project.answer(["verify", "--key", "v-1"]);
  const events = await eventsOf(project);
  expect(await project.answer(["verify", "--key", "v-1"])).toEqual(first);
  expect(await eventsOf(project)).toEqual(events);
});

test("a task without verify commands verifies at once", async () => {
  const { answer, holdfast } = await aProject();
  await answer(["task", "start", ...A_TASK.slice(0, 4), "--mode", "read-only"]);
  expect(await answer(["verify"])).toEqual({ code: 0, json: { results: [] } });
  expect((await holdfast(["verify"])).stdout).toBe("The task has no verify commands.\n");
});

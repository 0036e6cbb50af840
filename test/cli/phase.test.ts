import { expect, test } from "vitest";
import { aProject, type Project } from "./holdfast.ts";

/** Starts a task whose plan begins with planning. */
async function start({ answer }: Project, taskId: string, session: string): Promise<string> {
  const { json } = await answer([
    ...["task", "start", "--summary", "Make the check pass again", "--task-id", taskId],
    ...["--criterion", "it holds", "--verify", "sh check.sh", "--session", session],
  ]);
  return json.run;
}

test("phase tells each move of a run: from where, to where, why, what observed it, and when", async () => {
  const project = await aProject();
  const run = await start(project, "mend-check", "ada");
  const { holdfast, answer, write } = project;
  await write("check.sh", "exit 0\n");
  expect((await holdfast(["verify", "--session", "ada"])).code).toBe(0);
  const concluded = ["conclude", "--outcome", "partial", "--reason", "half", "--session", "ada"];
  expect((await holdfast(concluded)).code).toBe(0);
  const { json } = await answer(["phase", run]);
  expect(json).toMatchObject({ run, taskId: "mend-check", status: "partial", open: false });
  expect(
    json.transitions.map((move: { from: string; to: string; cause: string; source: string }) =>
      [move.from, move.to, move.cause, move.source].join(" "),
    ),
  ).toEqual([
    "intake plan plan-observed task-state",
    "plan execute mutation-observed tool-call",
    "execute verify verification-started tool-call",
    "verify review verification-passed tool-result",
    "review handoff handoff-observed completion",
    "handoff terminal task-terminal completion",
  ]);
  const [first] = json.transitions;
  expect(first).toMatchObject({ seq: 4, at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) });
  const { stdout } = await holdfast(["phase", run]);
  const text = stdout.replaceAll(/\s+/g, " ");
  expect(text).toContain(`Run ${run}, partial Phase terminal`);
  expect(text).toContain(`event 4, ${first.at}: intake → plan (plan-observed by task-state)`);
});

test("phase, status, criteria and task show mean one run: one's own, else an open one, else the last", async () => {
  const project = await aProject();
  const { holdfast, answer } = project;
  const meant = async (session: string) => {
    const [phase, shown, criteria, status] = await Promise.all(
      [["phase"], ["task", "show"], ["criteria"], ["status"]].map(
        async (words) => (await answer([...words, "--session", session])).json,
      ),
    );
    return [phase.run, shown.run, criteria.run, status.task.run];
  };
  const all = (run: string) => [run, run, run, run];
  const first = await start(project, "first", "ada");
  const second = await start(project, "second", "bob");
  expect(await meant("ada")).toEqual(all(first));
  expect(await meant("eve")).toEqual(all(second));
  const abandon = ["task", "abandon", "--reason", "x", "--session"];
  expect((await holdfast([...abandon, "bob"])).code).toBe(0);
  expect(await meant("bob")).toEqual(all(first));
  expect((await holdfast([...abandon, "ada"])).code).toBe(0);
  // Nothing is open: the last that was begun, whoever asks, and it says that it is over.
  expect(await meant("ada")).toEqual(all(second));
  expect(await answer(["phase"])).toMatchObject({
    code: 0,
    json: { run: second, phase: "terminal", status: "abandoned", open: false },
  });
  expect((await answer(["phase", first])).json).toMatchObject({ run: first });
});

test("without any run there is no phase to show, nor criteria, nor a task", async () => {
  const { answer } = await aProject();
  for (const words of [["phase"], ["criteria"], ["task", "show"]]) {
    expect(await answer(words), words.join(" ")).toMatchObject({
      code: 1,
      json: { error: { code: "task/none" } },
    });
  }
  expect(await answer(["status"])).toMatchObject({ code: 0, json: { state: "idle", task: null } });
});

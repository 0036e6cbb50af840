import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { openEngine } from "../../src/index.ts";
import { A_TASK, aFolder, aProject, changeInDatabase, eventsOf, type Project } from "./holdfast.ts";

const SECRET = "TOP-demo-SECRET-42";
const REASON = "a pasted key";

const stateDirOf = ({ folder }: Project) => path.join(folder, ".holdfast");

/** Every file of the state folder that holds a text, by its path there. */
function filesWith(project: Project, text: string): readonly string[] {
  const stateDir = stateDirOf(project);
  return readdirSync(stateDir, { recursive: true, encoding: "utf8" })
    .filter((name) => statSync(path.join(stateDir, name)).isFile())
    .filter((name) => readFileSync(path.join(stateDir, name)).includes(text))
    .toSorted();
}

/** A journal of six events: event 3 holds the text in its output, event 5 quotes it. */
async function withSecret(): Promise<Project> {
  const project = await aProject();
  await project.answer(["init"]);
  await project.holdfast(["exec", "-c", "cat"], { stdin: `the key is ${SECRET}\n` });
  await project.holdfast(["exec", "-c", `echo ${SECRET} | wc -c`]);
  const engine = await openEngine({ projectDir: project.folder });
  await engine.journal.append({ type: "x.noted", body: { n: 6 } });
  await engine.close();
  expect((await eventsOf(project)).map(({ header }) => header.type)).toEqual([
    "journal.opened",
    "tool.requested",
    "command.observed",
    "tool.requested",
    "command.observed",
    "x.noted",
  ]);
  return project;
}

test("a text that has to go is removed from every file, while the chain verifies and says so (FR-090)", async () => {
  const project = await withSecret();
  const { answer, holdfast } = project;
  const handoff = path.join(stateDirOf(project), "handoff", "at-6.json");
  mkdirSync(path.dirname(handoff));
  writeFileSync(handoff, JSON.stringify({ head: 6, output: `the key is ${SECRET}\n` }));
  const noted = (await holdfast(["journal", "head"])).stdout.trim();

  const shed = await answer(["journal", "shed", "--text", SECRET, "--reason", REASON]);
  expect(shed).toMatchObject({
    code: 0,
    json: {
      shed: [
        { seq: 3, type: "command.observed", replaced: true },
        { seq: 4, type: "tool.requested", replaced: true },
        { seq: 5, type: "command.observed", replaced: true },
      ],
      remaining: [],
      purged: true,
      files: [handoff],
      head: { seq: 7 },
    },
  });
  expect(filesWith(project, SECRET)).toEqual([path.join("handoff", "at-6.json")]);
  expect((await holdfast(["journal", "export"])).stdout).not.toContain(SECRET);

  const told = { by: 7, at: expect.stringMatching(/^20/), reason: REASON };
  for (const seq of ["3", "5"]) {
    const { json } = await answer(["show", seq]);
    expect(json).toMatchObject({ body: null, shed: { ...told, replacement: {} } });
    expect((await holdfast(["show", seq])).stdout).toMatch(/shed 20.* by event 7: a pasted key/);
  }
  const log = (await holdfast(["log"])).stdout.split("\n");
  expect(log[2]).toMatch(/command\.observed +\(shed 20.* by event 7: a pasted key\)/);
  expect((await eventsOf(project))[4]).toMatchObject({ body: null, shed: told });

  const verified = await answer(["journal", "verify", "--head", noted]);
  expect(verified).toMatchObject({
    code: 0,
    json: {
      ok: true,
      problems: [],
      shedCount: 3,
      shed: [3, 4, 5].map((seq) => ({ seq, ...told })),
    },
  });
  expect((await holdfast(["journal", "verify"])).stdout).toContain("3 events shed:");
  changeInDatabase(project.folder, "UPDATE events SET body = NULL WHERE seq = 2");
  const tampered = await answer(["journal", "verify"]);
  expect(tampered).toMatchObject({
    code: 3,
    json: { ok: false, problems: [{ seq: 2, code: "content" }], shedCount: 3 },
  });
});

test("what was shed is still shown where the account of it, or what stands for it, is damaged", async () => {
  const changes = [
    "UPDATE events SET body = 'no JSON' WHERE seq = 7",
    "UPDATE replacements SET body = 'no JSON' WHERE seq = 3",
  ];
  for (const change of changes) {
    const project = await withSecret();
    await project.answer(["journal", "shed", "--text", SECRET, "--reason", REASON]);
    changeInDatabase(project.folder, change);
    changeInDatabase(project.folder, "DELETE FROM snapshot");
    const log = await project.holdfast(["log"]);
    expect(log.stdout).toMatch(/ 3 .*command\.observed/);
    expect(log.code).toBe(3);
    const { stdout } = await project.holdfast(["log", "--json"]);
    const shown = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(shown[2]).toMatchObject({ header: { seq: 3 }, body: null });
    expect(await project.answer(["show", "3"])).toMatchObject({ code: 3, json: { body: null } });
    expect((await project.holdfast(["show", "3"])).stdout).toContain("command.observed");
    expect(await project.answer(["journal", "verify"])).toMatchObject({ code: 3 });
  }
});

test("the text may come from a file or from stdin, so that it stands in no shell history", async () => {
  for (const from of ["file", "stdin"]) {
    const project = await withSecret();
    const file = path.join(await aFolder(), "secret.txt");
    writeFileSync(file, `${SECRET}\n`);
    const given = from === "file" ? file : "-";
    const { code, stdout, stderr } = await project.holdfast(
      ["journal", "shed", "--text-file", given, "--reason", REASON],
      { stdin: from === "file" ? "" : `${SECRET}\r\n` },
    );
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toContain("3 events shed (event 7)");
    expect(stdout).toContain("No file of the state folder holds the text");
    expect(stdout).not.toContain(SECRET);
  }
});

test("a dry run names what would go, copies of the journal's file among it", async () => {
  const project = await withSecret();
  const copy = path.join(stateDirOf(project), "journal.sqlite.before");
  cpSync(path.join(stateDirOf(project), "journal.sqlite"), copy);
  const shed = ["journal", "shed", "--text", SECRET, "--reason", REASON];
  const dry = await project.answer([...shed, "--dry-run"]);
  expect(dry).toMatchObject({ code: 0, json: { shed: { length: 3 }, purged: false } });
  expect(dry.json.files).toContain(copy);
  expect(await eventsOf(project)).toHaveLength(6);
  expect((await project.answer(shed)).json.files).toEqual([copy]);
});

test("what can't be removed is named, with a negative exit code", async () => {
  const project = await aProject();
  await project.answer(["init"]);
  const journal = (await eventsOf(project))[0]?.body.journal;
  const shed = ["journal", "shed", "--text", journal, "--reason", REASON];
  const { code, json } = await project.answer(shed);
  expect(code).toBe(1);
  expect(json).toMatchObject({ remaining: [{ seq: 1, type: "journal.opened" }] });
  expect(json.files).toEqual([path.join(stateDirOf(project), "journal.sqlite")]);
  expect((await project.holdfast(shed)).stdout).toContain(
    "✗ Event 1 journal.opened goes on holding it.",
  );
});

test.each([
  [["--reason", REASON], "input/invalid"],
  [["--text", SECRET, "--seq", "3", "--reason", REASON], "input/invalid"],
  [["--text", SECRET], "input/invalid"],
  [["--text", "abc", "--reason", REASON], "journal/text-unfit"],
  [["--text", SECRET, "--reason", `it was ${SECRET}`], "journal/reason-holds-text"],
  [["--text-file", "/nowhere/secret", "--reason", REASON], "input/unreadable"],
  [["--seq", "1", "--reason", REASON], "journal/not-sheddable"],
  [["--seq", "99", "--reason", REASON], "journal/event-unknown"],
  [["--seq", "x", "--reason", REASON], "input/invalid"],
])("journal shed %j is refused with %s", async (words, code) => {
  const project = await aProject();
  await project.answer(["init"]);
  const { json, code: exitCode } = await project.answer(["journal", "shed", ...words]);
  expect([exitCode, json.error.code]).toEqual([2, code]);
  expect(json.error.message).not.toContain(SECRET);
});

test("another process on the journal sees a shedding, and goes on from what is left", async () => {
  const project = await withSecret();
  const engine = await openEngine({ projectDir: project.folder });
  expect(JSON.stringify(await engine.state())).toContain(SECRET);
  const shed = await project.answer(["journal", "shed", "--text", SECRET, "--reason", REASON]);
  expect(shed).toMatchObject({ code: 0, json: { purged: true, files: [] } });
  expect(JSON.stringify(await engine.state())).not.toContain(SECRET);
  const [event] = await engine.journal.append({ type: "x.noted", body: { n: 8 } });
  expect(event?.header.seq).toBe(8);
  await engine.close();
  expect(filesWith(project, SECRET)).toEqual([]);
  expect(await project.answer(["journal", "verify"])).toMatchObject({ code: 0 });
});

test("several events are shed by their numbers", async () => {
  const project = await withSecret();
  const words = ["journal", "shed", "--seq", "3", "--seq", "5", "--reason", REASON];
  const { stdout } = await project.holdfast(words);
  expect(stdout).toContain("2 events shed (event 7)");
  expect(stdout).toContain("were not searched");
  expect((await eventsOf(project))[2]?.body).toBeNull();
});

/** A concluded task, and a task that is open. */
async function withTwoTasks(): Promise<Project> {
  const project = await aProject();
  await project.holdfast(["task", "start", ...A_TASK, "--task-id", "first"]);
  await project.holdfast(["verify"]);
  await project.holdfast(["conclude", "--outcome", "partial", "--reason", "enough"]);
  await project.holdfast(["task", "start", ...A_TASK, "--task-id", "second"]);
  return project;
}

test("a journal is compacted as far as open runs allow, and says which one holds the rest", async () => {
  const project = await withTwoTasks();
  const { answer, holdfast } = project;
  const noted = (await holdfast(["journal", "head"])).stdout.trim();
  const [first, second] = (await answer(["task", "list"])).json;
  const dry = await answer(["journal", "compact", "--ceiling", "3", "--dry-run"]);
  const compacted = await answer(["journal", "compact", "--ceiling", "3"]);
  expect(compacted).toMatchObject({
    code: 1,
    json: {
      removed: second.startedSeq - 1,
      through: { seq: second.startedSeq - 1 },
      tasks: [{ taskId: "first", run: first.run, outcome: "partial" }],
      heldBy: [{ run: second.run, taskId: "second" }],
      purged: true,
    },
  });
  expect(dry.json).toMatchObject({ removed: compacted.json.removed, purged: false });
  expect((await eventsOf(project)).map(({ header }) => header.seq)[0]).toBe(second.startedSeq);

  expect(await answer(["journal", "verify", "--head", noted])).toMatchObject({ code: 0 });
  const old = await answer(["journal", "verify", "--head", `2:${"a".repeat(64)}`]);
  expect(old).toMatchObject({ code: 3, json: { problems: [{ seq: 2, code: "removed" }] } });
  expect(await answer(["task", "show", first.run])).toMatchObject({
    code: 1,
    json: { error: { code: "task/removed" } },
  });
  expect(await answer(["show", "2"])).toMatchObject({
    code: 2,
    json: { error: { message: expect.stringContaining("removed by a compaction") } },
  });
  await holdfast(["conclude", "--outcome", "partial", "--reason", "enough"]);
  const again = await answer(["task", "start", ...A_TASK, "--task-id", "first"]);
  expect(again).toMatchObject({ code: 0, json: { attempt: 2 } });
  expect(await answer(["doctor"])).toMatchObject({ code: 0 });
});

test("compaction is told in words", async () => {
  const project = await withTwoTasks();
  const { stdout: nothing } = await project.holdfast(["journal", "compact"]);
  expect(nothing).toMatch(/^Nothing to remove; the journal holds \d+ events\.\n$/);
  const { stdout } = await project.holdfast(["journal", "compact", "--ceiling", "3"]);
  expect(stdout).toMatch(/^\d+ events removed, up to event \d+; \d+ events kept; head \d+:/);
  expect(stdout).toContain("· second holds what comes after (run ");
  expect(stdout).toContain("Still known of 1 removed task.");
  expect((await project.holdfast(["log"])).stdout).toMatch(/journal\.compacted +\d+ removed/);
  expect((await project.holdfast(["journal", "verify"])).stdout).toMatch(
    /Compaction removed the first \d+ events\./,
  );
  const refused = await project.answer(["journal", "compact", "--ceiling", "0"]);
  expect(refused).toMatchObject({ code: 2, json: { error: { code: "input/invalid" } } });
});

test("the doctor finds a purge that could not be finished", async () => {
  const project = await withSecret();
  await project.answer(["journal", "shed", "--text", SECRET, "--reason", REASON]);
  const sound = await project.answer(["doctor"]);
  expect(sound.json.checks).toContainEqual(
    expect.objectContaining({ name: "purge", ok: true, remedy: null }),
  );
  // A damaged journal is left as it is, so the purge stays pending.
  changeInDatabase(project.folder, "UPDATE head SET purge = 1");
  changeInDatabase(project.folder, "UPDATE events SET body = '{}' WHERE seq = 6");
  const found = await project.answer(["doctor"]);
  expect(found.json.checks).toContainEqual(
    expect.objectContaining({ name: "purge", ok: false, remedy: expect.any(String) }),
  );
});

import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test, vi } from "vitest";
import {
  A_TASK,
  aFolder,
  aProject,
  changeInDatabase,
  endOf,
  eventsOf,
  NO_PHASE_TOOLS,
  type Project,
  projectIn,
  start,
} from "./holdfast.ts";

/** A project with a journal of six events. */
async function withEvents(): Promise<Project> {
  const project = await aProject();
  await project.holdfast(["task", "start", ...A_TASK], { env: NO_PHASE_TOOLS });
  await project.holdfast(["verify"]);
  return project;
}

/** Its export, line by line, each with its newline. */
async function exported(project: Project): Promise<readonly string[]> {
  const { stdout } = await project.holdfast(["journal", "export"]);
  return stdout.match(/[^\n]*\n/g) ?? [];
}

test("an export taken in elsewhere gives the same journal", async () => {
  const project = await withEvents();
  const file = path.join(await aFolder(), "journal.jsonl");
  const { json: written } = await project.answer(["journal", "export", "--out", file]);
  expect(written).toMatchObject({ events: 6, head: { seq: 6 } });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(file, "utf8")).toBe((await exported(project)).join(""));

  const copy = await aProject();
  const imported = await copy.answer(["journal", "import", file]);
  expect(imported).toEqual({ code: 0, json: { imported: 6, torn: false, head: written.head } });
  expect(await eventsOf(copy)).toEqual(await eventsOf(project));
  expect((await copy.holdfast(["journal", "verify"])).code).toBe(0);
  const again = await copy.answer(["journal", "import", file]);
  expect(again).toMatchObject({ code: 2, json: { error: { code: "journal/not-empty" } } });
});

const hasPython = spawnSync("python3", ["--version"]).status === 0;
if (!hasPython) console.warn("python3 is not here: no independent verifier looks at an export.");

test.skipIf(!hasPython)("an independent verifier takes the export of a real journal", async () => {
  const project = await withEvents();
  await project.holdfast([
    "exec",
    "-c",
    "printf 'na\\303\\257ve \\377\\0 \\033[1m\\360\\237\\230\\200'",
  ]);
  const file = path.join(await aFolder(), "journal.jsonl");
  await project.holdfast(["journal", "export", "--out", file]);
  const head = (await project.holdfast(["journal", "head"])).stdout.trim();
  const script = path.join(path.dirname(import.meta.dirname), "journal", "verify_export.py");
  const { status, stdout } = spawnSync("python3", ["-B", script, file, head], { encoding: "utf8" });
  expect({ status, stdout }).toEqual({ status: 0, stdout: `ok 8 events, head ${head}\n` });
});

test("an export replaces no file, unless it is forced to", async () => {
  const { answer, folder } = await withEvents();
  const file = path.join(folder, "taken");
  writeFileSync(file, "mine\n");
  const refused = await answer(["journal", "export", "--out", file]);
  expect(refused).toMatchObject({ code: 2, json: { error: { code: "input/exists" } } });
  expect(readFileSync(file, "utf8")).toBe("mine\n");
  expect(await answer(["journal", "export", "--out", file, "--force"])).toMatchObject({ code: 0 });
  expect(readFileSync(file, "utf8")).toContain("journal.opened");
  expect(readdirSync(folder).filter((name) => name.startsWith("taken"))).toEqual(["taken"]);
  const nowhere = await answer(["journal", "export", "--out", "/nowhere/file"]);
  expect(nowhere).toMatchObject({ code: 2, json: { error: { code: "input/not-writable" } } });
});

test("FR-002: a damaged line of an export is named, and nothing of it is imported", async () => {
  const lines = (await exported(await withEvents())).slice(0, 5);
  const file = path.join(await aFolder(), "damaged.jsonl");
  writeFileSync(file, lines.with(2, `${"\0".repeat(300)}\n`).join(""));
  const copy = await aProject();
  const ended = await copy.holdfast(["journal", "import", file]);
  expect(ended).toMatchObject({ code: 3, stdout: "" });
  expect(ended.stderr).toContain("error journal/import-damaged: Line 3 of the export is damaged");
  expect(ended.stderr).toContain("The last intact event is 2; events 4 to 5 after it can't be");
  expect(ended.stderr).toContain(
    `The journal that was made for it in ${copy.folder}/.holdfast stays, empty`,
  );
  expect(await eventsOf(copy)).toHaveLength(1);

  writeFileSync(file, lines.join(""));
  expect(await copy.answer(["journal", "import", file])).toMatchObject({ json: { imported: 5 } });
});

test("a torn last line is left out, and told", async () => {
  const lines = await exported(await withEvents());
  const file = path.join(await aFolder(), "torn.jsonl");
  writeFileSync(file, lines.join("").slice(0, -40));
  const copy = await aProject();
  const { code, json } = await copy.answer(["journal", "import", file]);
  expect({ code, json }).toMatchObject({ code: 0, json: { imported: 5, torn: true } });
  expect(await eventsOf(copy)).toHaveLength(5);
});

test("an export that is not there makes no journal", async () => {
  const { folder, answer } = await aProject();
  const ended = await answer(["journal", "import", "nothing.jsonl"]);
  expect(ended).toMatchObject({ code: 2, json: { error: { code: "input/unreadable" } } });
  expect(existsSync(path.join(folder, ".holdfast"))).toBe(false);
});

test("the head can be noted and later be looked for", async () => {
  const { answer, holdfast } = await withEvents();
  const { json } = await answer(["journal", "head"]);
  expect(json).toEqual({ head: { seq: 6, hash: expect.stringMatching(/^[0-9a-f]{64}$/) } });
  const noted = (await holdfast(["journal", "head"])).stdout.trim();
  expect(noted).toBe(`6:${json.head.hash}`);
  await holdfast(["verify"]);
  expect(await answer(["journal", "verify", "--head", noted])).toMatchObject({
    code: 0,
    json: { ok: true, events: 8, problems: [] },
  });
  const foreign = `6:${"0".repeat(64)}`;
  expect(await answer(["journal", "verify", "--head", foreign])).toMatchObject({
    code: 3,
    json: { ok: false, problems: [{ seq: 6, code: "foreign" }] },
  });
  expect(await answer(["journal", "verify", "--head", `99:${json.head.hash}`])).toMatchObject({
    code: 3,
    json: { ok: false, problems: [{ seq: 99, code: "missing-tail" }] },
  });
});

test("a damaged journal is still told up to the damage, and nothing is written to it", async () => {
  const project = await withEvents();
  const { answer, holdfast, folder } = project;
  const [before] = await Promise.all([exported(project)]);
  changeInDatabase(folder, "UPDATE events SET body = replace(body, 'fail', 'pass') WHERE seq = 6");

  expect(await answer(["journal", "verify"])).toMatchObject({
    code: 3,
    json: { ok: false, events: 6, problems: [{ seq: 6, code: "content" }] },
  });
  const log = await holdfast(["log"]);
  expect(log.code).toBe(3);
  expect(log.stdout.trimEnd().split("\n")).toHaveLength(5);
  expect(log.stderr).toContain("The journal is damaged at event 6");
  const whole = await holdfast(["journal", "export"]);
  expect({ code: whole.code, lines: whole.stdout.trimEnd().split("\n").length }).toEqual({
    code: 3,
    lines: before.length,
  });
  expect(await answer(["status"])).toMatchObject({ code: 3, json: { state: "corrupt" } });
  expect(await answer(["task", "list"])).toMatchObject({ code: 3, json: [{ open: true }] });
  expect(await answer(["task", "show"])).toMatchObject({ code: 3, json: { open: true } });
  expect(await answer(["resume"])).toMatchObject({
    code: 3,
    json: { decision: "blocked", reasonCodes: ["journal-damaged"] },
  });
  expect(await answer(["show", "5"])).toMatchObject({ code: 3, json: { header: { seq: 5 } } });
  const corrupt = { code: 3, json: { error: { code: "journal/corrupt" } } };
  expect(await answer(["show", "6"])).toMatchObject(corrupt);
  expect(await answer(["doctor"])).toMatchObject({ code: 1 });

  const evidence = ["--criterion", "criterion-01", "--kind", "behavioral-check", "--ref", "seq:6"];
  for (const words of [
    ["verify"],
    ["gate"],
    ["gate", "--record"],
    ["conclude", "--outcome", "completed"],
    ["evidence", "add", ...evidence],
    ["takeover", "--reason", "to see"],
    ["task", "start", ...A_TASK, "--session", "s-2"],
  ]) {
    expect(await answer(words)).toMatchObject(corrupt);
  }
});

test("an event of a newer version is told and kept; nothing goes on until an upgrade", async () => {
  const project = await withEvents();
  const { answer, holdfast } = project;
  await appendFromTheFuture(project);
  for (const words of [
    ["task", "list"],
    ["task", "show"],
    ["show", "7"],
    ["log"],
    ["log", "--json"],
    ["journal", "verify"],
    ["journal", "export"],
    ["journal", "export", "--out", path.join(await aFolder(), "journal.jsonl")],
  ]) {
    const told = await holdfast(words);
    expect(told, words.join(" ")).toMatchObject({ code: 0 });
    expect(told.stderr).toContain("Event 7 (task.dreamt) was written by a newer Holdfast");
  }
  expect((await holdfast(["log"])).stdout).toContain("task.dreamt");
  for (const words of [["status"], ["resume"], ["gate"], ["verify"]]) {
    expect(await answer(words)).toMatchObject({ code: 3 });
  }
});

/** Appends an event of a type that this version does not know, chained as it should be. */
async function appendFromTheFuture(project: Project): Promise<void> {
  const { Journal } = await import("../../src/journal/index.ts");
  const { openSqliteStore } = await import("../../src/journal-sqlite/index.ts");
  const { systemPorts } = await import("../../src/open.ts");
  const ports = await systemPorts();
  const projectDir = project.folder;
  const stateDir = path.join(projectDir, ".holdfast");
  const store = await openSqliteStore({ projectDir, stateDir, create: "never", ports });
  const journal = await Journal.open(store, ports);
  await journal.catchUp(() => {});
  const event = { run: "-", type: "task.dreamt", session: null, cause: null, key: null, body: {} };
  await journal.append([], (append) => append.add([event]));
  await journal.close();
}

test("the log shows one line an event, or the line of an export", async () => {
  const project = await withEvents();
  const { holdfast, answer } = project;
  const { stdout } = await holdfast(["log"]);
  const lines = stdout.trimEnd().split("\n");
  expect(lines).toHaveLength(6);
  expect(lines[5]).toMatch(
    /^ {4}6 {2}\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ {2}command\.observed {2}fail \(exit 1\): sh check\.sh$/,
  );
  expect((await holdfast(["log", "--json"])).stdout).toBe((await exported(project)).join(""));

  const { json } = await answer(["task", "show"]);
  const ofRun = (await holdfast(["log", "--run", json.run])).stdout.trimEnd().split("\n");
  expect(ofRun).toHaveLength(5);
  const ofType = (await holdfast(["log", "--type", "task.started"])).stdout;
  expect(ofType.trimEnd().split("\n")).toHaveLength(1);
  const unknown = await answer(["log", "--run", "01234567-89ab-7def-8123-456789abcdef"]);
  expect(unknown).toMatchObject({ code: 2, json: { error: { code: "task/unknown" } } });
});

test("one event is shown whole, with the output that a command had", async () => {
  const { holdfast, answer } = await withEvents();
  await holdfast(["exec", "-c", "echo seen; exit 3"]);
  const { code, json } = await answer(["show", "8"]);
  expect({ code, json }).toMatchObject({
    code: 0,
    json: { header: { seq: 8, type: "command.observed" }, body: { exitCode: 3 } },
  });
  expect((await holdfast(["show", "8"])).stdout).toMatch(/--- output\nseen\n$/);
  const unknown = await answer(["show", "99"]);
  expect(unknown).toMatchObject({ code: 2, json: { error: { code: "journal/event-unknown" } } });
});

test("a followed log goes on with what others append, and ends with Ctrl-C", async () => {
  const { folder, holdfast } = await withEvents();
  const child = start(["log", "--follow"], { folder });
  let seen = "";
  child.stdout?.on("data", (chunk: Buffer) => {
    seen += chunk.toString();
  });
  const ended = endOf(child, null);
  await vi.waitFor(() => expect(seen).toContain("    6  "), 20_000);
  await holdfast(["exec", "--", "true"]);
  await vi.waitFor(() => expect(seen).toContain("    8  "), 20_000);
  child.kill("SIGINT");
  expect(await ended).toMatchObject({ code: 0, signal: null });
  expect(seen.trimEnd().split("\n")).toHaveLength(8);
});

test.each([["journal", "export"], ["log"], ["log", "--json"]])(
  "a reader that has seen enough ends %s %s quietly",
  async (...words) => {
    const { folder, holdfast } = await withEvents();
    const noise = "head -c 100000 /dev/zero | tr '\\0' x";
    for (let count = 0; count < 8; count++) await holdfast(["exec", "-c", noise]);
    const child = start(
      words.filter((word) => word !== undefined),
      { folder },
    );
    child.stdout?.once("data", () => child.stdout?.destroy());
    expect(await endOf(child)).toMatchObject({ code: 0, signal: null, stderr: "" });
  },
);

test.runIf(existsSync("/dev/full"))("an answer that finds no room is a failure", async () => {
  const { folder } = await withEvents();
  const child = start(["exec", "-c", "true"], { folder });
  await endOf(child);
  const { COMMAND, environment } = await import("./holdfast.ts");
  const { status, stderr } = spawnSync(
    "sh",
    ["-c", `"$0" "$1" journal export > /dev/full`, process.execPath, COMMAND],
    { cwd: folder, env: environment(), encoding: "utf8" },
  );
  expect(status).toBe(2);
  expect(stderr).toContain("error input/not-writable: The answer can't be written to stdout");
});

test("what is imported is read in pieces: a character may lie across two of them", async () => {
  const project = await aProject();
  await project.holdfast(["init"]);
  for (let count = 0; count < 4; count++) {
    await project.holdfast(["exec", "--", "printf", "%s", `${count}${"ü€😀".repeat(12_000)}`]);
  }
  const file = path.join(await aFolder(), "journal.jsonl");
  await project.holdfast(["journal", "export", "--out", file]);
  const copy = projectIn(await aFolder());
  expect(await copy.answer(["journal", "import", file])).toMatchObject({
    code: 0,
    json: { imported: 9, torn: false },
  });
});

import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { A_TASK, aPlainProject, COMMAND, environment } from "./holdfast.ts";

const COMMANDS = [
  "init",
  "task start",
  "task list",
  "task show",
  "task pause",
  "task continue",
  "task abandon",
  "task retry",
  "import-contract",
  "exec",
  "verify",
  "evidence add",
  "plan step",
  "phase",
  "criteria",
  "task narrow",
  "context show",
  "task instruct",
  "plan record",
  "criterion approve",
  "criterion waive",
  "criterion defer",
  "criterion propose",
  "criterion accept",
  "gate",
  "conclude",
  "resume",
  "status",
  "log",
  "show",
  "takeover",
  "settle",
  "journal verify",
  "journal export",
  "journal import",
  "journal head",
  "doctor",
] as const;

test.each(COMMANDS)("holdfast %s --help shows an example of the command", async (command) => {
  const { holdfast } = await aPlainProject();
  const { code, stdout, stderr } = await holdfast([...command.split(" "), "--help"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toContain("--session <id>");
  expect(stdout).toContain(`Example:\n  $ holdfast ${command}`);
});

test("the version is that of the package", async () => {
  const { holdfast } = await aPlainProject();
  const manifest = path.join(import.meta.dirname, "../../package.json");
  const { version } = JSON.parse(readFileSync(manifest, "utf8"));
  expect(await holdfast(["--version"])).toMatchObject({ code: 0, stdout: `${version}\n` });
});

test.each([
  [["statsu"], "Unknown command 'statsu'.", "Did you mean status?"],
  [["task", "strat"], "Unknown command 'strat'.", "Did you mean start?"],
  [["status", "--sesion", "s"], "Unknown option '--sesion'.", "Did you mean --session?"],
  [["log", "--key", "k"], "Unknown option '--key'.", "See: holdfast log --help"],
  [["status", "more"], "Too many arguments for 'status'.", "See: holdfast status --help"],
  [["conclude"], "Required option '--outcome <outcome>' not specified.", "holdfast conclude"],
  [["conclude", "--outcome", "done"], "Allowed choices are completed, blocked", "holdfast"],
  [["takeover", "--reason", " "], "It must not be empty.", "holdfast takeover --help"],
  [["verify", "--timeout", "soon"], "It has to be a number of seconds", "holdfast verify --help"],
  [["show", "last"], "It has to be the number of an event", "holdfast show --help"],
  [["journal", "verify", "--head", "12"], "It has to be SEQ:HASH", "holdfast journal verify"],
  [
    ["journal", "verify", "--head", `0:${"a".repeat(64)}`],
    "It has to be SEQ:HASH",
    "holdfast journal verify",
  ],
  [["exec"], "There is no command to run.", "holdfast exec -- npm test"],
  [["exec", "-c", "true", "more"], "Both a string for the shell", "Use either"],
  [["status", "--session", ""], "The session has an empty name.", "--session ID"],
  [["status", "--dir", "nowhere"], "nowhere can't be opened.", "Name a folder that exists."],
])("%j is wrong usage: exit 2, one sentence and a remedy", async (words, message, remedy) => {
  const { folder, holdfast, answer } = await aPlainProject();
  const { code, stdout, stderr } = await holdfast(words);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  const [first, second, ...more] = stderr.trimEnd().split("\n");
  expect(first).toMatch(/^error input\/[a-z]+: /);
  expect(first).toContain(message);
  expect(second).toContain(remedy);
  expect(more).toEqual([]);
  expect(existsSync(path.join(folder, ".holdfast"))).toBe(false);

  const asData = await answer(words[0] === "exec" ? ["exec", "--json", ...words.slice(1)] : words);
  expect(asData).toMatchObject({ code: 2, json: { error: { code: expect.any(String) } } });
  expect(Object.keys(asData.json.error)).toEqual(["code", "message", "remedy"]);
});

test("without a command the help goes to stderr and the exit code is 2", async () => {
  const { holdfast } = await aPlainProject();
  for (const words of [[], ["task"], ["journal"]]) {
    const { code, stdout, stderr } = await holdfast(words);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain("Usage: holdfast");
  }
});

test("the common options may stand before the command", async () => {
  const { folder, holdfast } = await aPlainProject();
  const words = ["--dir", folder, "--json", "status", "--session", "s-1"];
  const { code, stdout } = await holdfast(words, { folder: "/" });
  expect({ code, state: JSON.parse(stdout).state }).toEqual({ code: 0, state: "idle" });
});

test.each([
  ["a summary that is too short", ["--summary", "short"], "contract/invalid", "/summary"],
  ["a verifier that proves nothing", ["--verify", "true"], "contract/no-verifier", "`true`"],
  ["a scope that leads out", ["--scope", "../x"], "contract/scope-invalid", '"../x"'],
  ["an id that is no slug", ["--task-id", "No Slug"], "contract/invalid", "/taskId"],
  ["a risk lane that is none", ["--lane", "wild"], "input/invalid", "Allowed choices are tiny"],
  ["no attempt at all", ["--max-attempts", "0"], "input/invalid", "whole number"],
])("a draft with %s is refused and leaves nothing behind", async (_, words, code, named) => {
  const { folder, holdfast } = await aPlainProject();
  const before = readdirSync(folder);
  const ended = await holdfast(["task", "start", ...A_TASK, ...words]);
  expect(ended).toMatchObject({ code: 2, stdout: "" });
  expect(ended.stderr).toContain(`error ${code}:`);
  expect(ended.stderr).toContain(named);
  expect(readdirSync(folder)).toEqual(before);
});

test.each([
  ["is not there", null, "input/unreadable", "ENOENT"],
  ["is no JSON", "{ summary", "input/invalid", "is no JSON"],
  ["has a field too many", '{"summary":"Make it pass","also":1}', "contract/invalid", "also"],
  ["lacks a criterion", '{"summary":"Make it pass"}', "contract/invalid", "acceptanceCriteria"],
  ["is a list", "[]", "contract/invalid", "draft"],
])("a draft file that %s is refused with its reason", async (_, text, code, named) => {
  const { folder, holdfast, write } = await aPlainProject();
  if (text !== null) await write("draft.json", text);
  const before = readdirSync(folder);
  const ended = await holdfast(["task", "start", "--file", "draft.json"]);
  expect(ended).toMatchObject({ code: 2, stdout: "" });
  expect(ended.stderr).toContain(`error ${code}:`);
  expect(ended.stderr).toContain(named);
  if (code.startsWith("input")) expect(ended.stderr).toContain("draft.json");
  expect(readdirSync(folder)).toEqual(before);
});

test("a draft is given as a file or by options, not both; and not by half", async () => {
  const { holdfast } = await aPlainProject();
  const both = await holdfast(["task", "start", "--file", "draft.json", "--lane", "tiny"]);
  expect(both.code).toBe(2);
  expect(both.stderr).toContain("The draft is given twice: as draft.json, and by --lane.");
  const half = await holdfast(["task", "start", "--summary", "Make the check pass again"]);
  expect(half.code).toBe(2);
  expect(half.stderr).toContain("--criterion is not given");
});

test("help ends quietly where its reader has seen enough", async () => {
  const { folder } = await aPlainProject();
  const pipeline = `"$NODE" "$COMMAND" --help | true; exit "\${PIPESTATUS[0]}"`;
  const run = spawnSync("bash", ["-c", pipeline], {
    cwd: folder,
    env: environment({ NODE: process.execPath, COMMAND }),
    encoding: "utf8",
  });
  expect(run).toMatchObject({ status: 0, stderr: "" });
});

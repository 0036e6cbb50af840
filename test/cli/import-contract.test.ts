import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { aContractV1 } from "../task/makers.ts";
import { type Answer, aProject, eventsOf, type Project } from "./holdfast.ts";

/** As version 1 wrote it: its own order, its own spaces, and fields that nobody knows. */
const textOf = (over: Readonly<Record<string, unknown>> = {}) =>
  `${JSON.stringify({ zeal: 1, ...aContractV1({ verifyCommands: ["sh check.sh"], scope: ["**"] }), ...over }, null, 4)}\r\n`;

/** A repository with a contract beside it that git does not see. */
async function aProjectWith(text: string): Promise<Project & { readonly file: string }> {
  const project = await aProject();
  const file = path.join(project.folder, ".git", "old.json");
  writeFileSync(file, text);
  return { ...project, file };
}

const archiveIn = ({ folder }: Project) => path.join(folder, ".holdfast", "archive");

async function importedIn(project: Project, file: string, ...words: string[]): Promise<Answer> {
  return project.answer(["import-contract", file, ...words]);
}

test("a pending contract of version 1 becomes an open run that its verifiers have to prove", async () => {
  const text = textOf({ attempt: 2 });
  const project = await aProjectWith(text);
  const { code, json } = await importedIn(project, project.file, "--session", "session of Ada");
  const archived = path.join(archiveIn(project), `contract-${json.archive.digest}.json`);
  expect({ code, json }).toMatchObject({
    code: 0,
    json: {
      taskId: "cart",
      attempt: 2,
      status: "open",
      migration: {
        status: "verification-refresh-required",
        requiredAction: "rerun-exact-verifier",
        claimedOutcome: "pending",
      },
      archive: { path: archived, bytes: Buffer.byteLength(text) },
      head: { seq: 4 },
    },
  });
  expect(readFileSync(archived)).toEqual(Buffer.from(text));
  expect(readFileSync(project.file)).toEqual(Buffer.from(text));
  expect([statSync(archived).mode & 0o777, statSync(archiveIn(project)).mode & 0o777]).toEqual([
    0o600, 0o700,
  ]);
  const asked = ["--session", "session of Ada"];
  expect(await project.answer(["conclude", "--outcome", "completed", ...asked])).toMatchObject({
    code: 1,
    json: { error: { code: "gate/refused" } },
  });
  await project.write("check.sh", "exit 0\n");
  expect((await project.holdfast(["verify", ...asked])).code).toBe(0);
  expect(await project.answer(["conclude", "--outcome", "completed", ...asked])).toMatchObject({
    code: 0,
    json: { outcome: "completed" },
  });
});

test("a contract that had ended is shown as what it is, and can be tried again", async () => {
  const project = await aProjectWith(textOf({ trace: { outcome: "completed" } }));
  const { holdfast, answer, file } = project;
  const { code, stdout, stderr } = await holdfast(["import-contract", file]);
  expect(code).toBe(0);
  expect(stdout).toContain("Imported cart, attempt 1: over, and no proof of anything (event 4)");
  expect(stdout).toContain("says completed: historical-unverifiable");
  expect(stderr).toContain("Fields that version 1 does not have are ignored: zeal.");
  const { json } = await answer(["task", "list"]);
  expect(json).toMatchObject([{ taskId: "cart", status: "historical", open: false }]);
  const shown = await holdfast(["task", "show"]);
  expect(shown.stdout).toContain("from version 1, which says completed");
  expect((await holdfast(["log"])).stdout).toContain("cart, attempt 1 (from version 1): Reject");
  expect(await answer(["status"])).toMatchObject({ json: { state: "terminal" } });
  expect(await answer(["resume"])).toMatchObject({
    code: 1,
    json: { decision: "terminal", reasonCodes: ["task-historical"] },
  });
  expect(await answer(["task", "retry"])).toMatchObject({ code: 0, json: { attempt: 2 } });
});

test("the same file twice, by name or from stdin, is one run and one answer", async () => {
  const text = textOf();
  const project = await aProjectWith(text);
  const first = await importedIn(project, project.file);
  expect(await importedIn(project, project.file)).toEqual(first);
  const piped = await project.answer(["import-contract", "-"], { stdin: text });
  expect(piped).toEqual(first);
  expect(await eventsOf(project)).toHaveLength(4);
  expect(readdirSync(archiveIn(project))).toHaveLength(1);
});

test("another file under the archived name is told, and nothing is changed", async () => {
  const project = await aProjectWith(textOf());
  const other = await aProjectWith(textOf());
  const { json } = await importedIn(other, other.file);
  await project.holdfast(["init"]);
  mkdirSync(archiveIn(project), { mode: 0o700 });
  const taken = path.join(archiveIn(project), path.basename(json.archive.path));
  writeFileSync(taken, "mine");
  expect(await importedIn(project, project.file)).toMatchObject({
    code: 3,
    json: { error: { code: "contract/archive-conflict" } },
  });
  expect(readFileSync(taken, "utf8")).toBe("mine");
  expect(await eventsOf(project)).toHaveLength(1);
});

test.each([
  ["is not there", null, "input/unreadable", "ENOENT"],
  ["is no JSON", "{ summary", "input/invalid", "is no JSON"],
  ["is of version 2", '{"schemaVersion":2}', "contract/version-unsupported", "2 already"],
  ["is too large", " ".repeat(8 * 1024 * 1024 + 1), "contract/file-too-large", "8388608"],
  ["lacks a field", '{"schemaVersion":1}', "contract/invalid", "lacks"],
  ["leads out", textOf({ scope: ["/etc"] }), "contract/scope-invalid", "/etc"],
])("a contract that %s is refused and leaves nothing behind", async (_, text, code, named) => {
  const project = await aProjectWith(text ?? "");
  const file = text === null ? "nowhere.json" : project.file;
  const ended = await project.holdfast(["import-contract", file]);
  expect(ended).toMatchObject({ code: 2, stdout: "" });
  expect(ended.stderr).toContain(`error ${code}:`);
  expect(ended.stderr).toContain(named);
  expect(existsSync(path.join(project.folder, ".holdfast"))).toBe(false);
});

test("a contract is no folder and no pipe, and has to be readable", async () => {
  const project = await aProjectWith(textOf());
  const pipe = path.join(project.folder, ".git", "pipe");
  execFileSync("mkfifo", [pipe]);
  for (const file of [".git", pipe]) {
    expect(await importedIn(project, file)).toMatchObject({
      code: 2,
      json: { error: { code: "input/unreadable", message: expect.stringContaining("ordinary") } },
    });
  }
  if (process.getuid?.() === 0) return; // Root reads everything.
  chmodSync(project.file, 0o000);
  expect(await importedIn(project, project.file)).toMatchObject({
    code: 2,
    json: { error: { code: "input/unreadable" } },
  });
});

test("a session that works on something can't import what is pending", async () => {
  const project = await aProjectWith(textOf());
  await importedIn(project, project.file);
  const second = path.join(project.folder, ".git", "second.json");
  writeFileSync(second, textOf({ taskId: "other" }));
  expect(await importedIn(project, second)).toMatchObject({
    code: 1,
    json: { error: { code: "contract/session-has-open-run" } },
  });
  expect(readdirSync(archiveIn(project))).toHaveLength(1);
  expect(await importedIn(project, second, "--session", "other")).toMatchObject({ code: 0 });
});

test("a text that is shed from the journal is told to stand in the archive", async () => {
  const project = await aProjectWith(textOf({ summary: "Reject the quantities of Mrs Lindqvist" }));
  const { json } = await importedIn(project, project.file);
  const words = ["journal", "shed", "--text", "Mrs Lindqvist", "--reason", "a name"];
  const shed = await project.answer(words);
  expect(JSON.stringify(shed.json)).toContain(path.basename(json.archive.path));
  // The file itself still says what it said: it is the same import.
  expect((await importedIn(project, project.file)).json).toEqual(json);
});

test("the paths of a pending contract are looked up in the tree of now, those of one that is over are not", async () => {
  const project = await aProjectWith(textOf({ scope: ["util.js"] }));
  for (const folder of ["one", "two"]) {
    mkdirSync(path.join(project.folder, folder));
    await project.write(path.join(folder, "util.js"), "");
  }
  await project.write(path.join("one", "cart.js"), "");
  expect(await importedIn(project, project.file)).toMatchObject({
    code: 2,
    json: { error: { code: "contract/scope-ambiguous" } },
  });
  writeFileSync(project.file, textOf({ scope: ["cart.js", "docs"] }));
  const { json } = await importedIn(project, project.file);
  expect(json.warnings.at(-1)).toBe("The scope entry docs matches no file yet.");
  const shown = await project.answer(["task", "show"]);
  expect(shown.json.task.contract.scope).toEqual(["one/cart.js", "docs"]);
  const over = { taskId: "over", trace: { outcome: "failed" }, scope: ["util.js"] };
  writeFileSync(project.file, textOf(over));
  expect((await importedIn(project, project.file)).code).toBe(0);
});

import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import {
  assertSafe,
  entriesOpenToOthers,
  hadJournal,
  hideStateFolder,
  JOURNAL_FILE,
  JOURNAL_SIDE_SUFFIXES,
  makeStateFolder,
  pathWithin,
  tighten,
} from "../../src/state-folder/index.ts";
import { emptyFolder, link, write } from "../workspace/repositories.ts";

const modeOf = (entry: string) => statSync(entry).mode & 0o777;

test("every folder that is made on the way is the owner's alone", () => {
  const project = emptyFolder();
  const stateDir = `${project}/.pi/piagent-state`;
  makeStateFolder(stateDir);
  makeStateFolder(stateDir);
  expect([modeOf(`${project}/.pi`), modeOf(stateDir)]).toEqual([0o700, 0o700]);
});

test("rights of others to a folder that was there are taken away", () => {
  const stateDir = emptyFolder();
  chmodSync(stateDir, 0o755);
  makeStateFolder(stateDir);
  expect(modeOf(stateDir)).toBe(0o700);
});

test("a folder below a file can't be made, and that is said", () => {
  const folder = emptyFolder();
  write(folder, { file: "" });
  expect(() => makeStateFolder(`${folder}/file/state`)).toThrow(
    expect.objectContaining({ code: "journal/not-writable" }),
  );
});

test("the folder hides itself once, and keeps what it was told to ignore", () => {
  const stateDir = emptyFolder();
  hideStateFolder(stateDir);
  const file = `${stateDir}/.gitignore`;
  expect({ text: readFileSync(file, "utf8"), mode: modeOf(file) }).toEqual({
    text: "*\n",
    mode: 0o600,
  });
  write(stateDir, { ".gitignore": "mine\n" });
  hideStateFolder(stateDir);
  expect(readFileSync(file, "utf8")).toBe("mine\n");
});

test("a journal is missed where something of it is left, and nowhere else", () => {
  const stateDir = emptyFolder();
  expect(hadJournal(stateDir)).toBe(false);
  for (const name of [".gitignore", ...JOURNAL_SIDE_SUFFIXES.map((it) => JOURNAL_FILE + it)]) {
    const left = emptyFolder();
    write(left, { [name]: "" });
    expect(hadJournal(left), name).toBe(true);
    write(left, { [JOURNAL_FILE]: "" });
    expect(hadJournal(left), name).toBe(false);
  }
});

test("what others have rights to is found at any depth, links left out, and tightened", () => {
  const stateDir = emptyFolder();
  write(stateDir, { "cache/files": "", "cache/own": "", script: "" });
  link(stateDir, "link", "/");
  for (const [name, mode] of [
    ["cache", 0o700],
    ["cache/files", 0o640],
    ["cache/own", 0o600],
    ["script", 0o755],
  ] as const) {
    chmodSync(path.join(stateDir, name), mode);
  }
  const open = entriesOpenToOthers(stateDir);
  expect(open.map((entry) => path.relative(stateDir, entry)).sort()).toEqual([
    "cache/files",
    "script",
  ]);
  for (const entry of open) tighten(entry);
  expect([modeOf(`${stateDir}/cache/files`), modeOf(`${stateDir}/script`)]).toEqual([0o600, 0o700]);
  expect(entriesOpenToOthers(stateDir)).toEqual([]);
});

test("a link is refused below a root even where the path gets there over an alias from outside", () => {
  const project = emptyFolder();
  const outside = emptyFolder();
  const elsewhere = emptyFolder();
  symlinkSync(project, `${outside}/alias`);
  symlinkSync(elsewhere, `${project}/state`);
  mkdirSync(`${elsewhere}/in`);
  const unsafe = expect.objectContaining({ code: "journal/unsafe-path" });
  expect(() => assertSafe(`${outside}/alias/state/in`, [project])).toThrow(unsafe);
  expect(() => assertSafe(`${outside}/alias/state/in`, [elsewhere])).not.toThrow();
  expect(existsSync(`${elsewhere}/in/${JOURNAL_FILE}`)).toBe(false);
});

test.each([
  ["/a", "/a", ""],
  ["/a", "/a/b/c", "b/c"],
  ["/a", "/a/..b", "..b"],
  ["/a", "/", null],
  ["/a", "/ab", null],
  ["/a/b", "/a/c", null],
  ["/", "/a", "a"],
])("within %s, %s is %j", (folder, entry, within) => {
  expect(pathWithin(folder, entry)).toBe(within);
});

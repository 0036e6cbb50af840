import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { expect, onTestFinished, test, vi } from "vitest";
import { openWorkspace } from "../../src/workspace/index.ts";
import {
  commitAll,
  emptyFolder,
  git,
  movesDigest,
  read,
  remove,
  repositoryWith,
  write,
} from "./repositories.ts";

const IGNORE = { ".holdfast/.gitignore": "*\n" };

/** Moves the clock of this program, so that files written a moment ago are long at rest. */
function waitUntilSettled(): void {
  vi.setSystemTime(Date.now() + 60_000);
  onTestFinished(() => {
    vi.useRealTimers();
  });
}

function cacheFiles(folder: string): string[] {
  return readdirSync(`${folder}/.holdfast/cache`).map(
    (name) => `${folder}/.holdfast/cache/${name}`,
  );
}

test("without a state folder nothing is written anywhere", async () => {
  const folder = repositoryWith({ "a.txt": "1\n" });
  await read(folder);
  expect(readdirSync(folder)).toEqual([".git", "a.txt"]);
});

test("the state folder is left out, and its cache is seen by neither digest nor git", async () => {
  const folder = repositoryWith({ "a.txt": "1\n" });
  const before = await read(folder);
  write(folder, IGNORE);
  const first = await read(folder);
  write(folder, { ".holdfast/journal.sqlite": "events" });
  const second = await read(folder);
  git(folder, "add", "--force", ".holdfast");
  const added = await read(folder);

  expect(cacheFiles(folder)).not.toEqual([]);
  for (const reading of [first, second, added]) expect(reading).toEqual(before);
  git(folder, "reset", "--quiet");
  expect(git(folder, "status", "--porcelain")).toBe("");
});

test("a state folder within the repository and a neighbour of a similar name are told apart", async () => {
  const folder = repositoryWith({ "a.txt": "1\n" });
  expect(await movesDigest(folder, () => write(folder, { ".holdfast-notes": "1" }))).toBe(true);
  expect(await movesDigest(folder, () => write(folder, { "sub/.holdfast/x": "1" }))).toBe(true);
});

test("a state folder that contains the project leaves nothing to read, and says so", async () => {
  const projectDir = repositoryWith({ "a.txt": "1\n" });
  const workspace = await openWorkspace({ projectDir, stateDir: projectDir });
  expect(await workspace.read()).toMatchObject({
    digest: null,
    unavailable: [{ path: null, reason: "inside-state-folder" }],
  });
});

test("readings with a warm cache follow every change of index and files", async () => {
  const folder = repositoryWith({ "a.txt": "1\n", "b.txt": "1\n" });
  write(folder, IGNORE);
  const original = await read(folder);
  write(folder, { "a.txt": "2\n" });
  git(folder, "add", "a.txt");
  const staged = await read(folder);
  remove(folder, "b.txt");
  commitAll(folder);
  const committed = await read(folder, { base: original.commit });
  git(folder, "reset", "--quiet", "--hard", "HEAD~1");
  const reset = await read(folder);

  expect(Object.keys(staged.dirty)).toEqual(["a.txt"]);
  expect(Object.keys(committed.dirty)).toEqual(["a.txt", "b.txt"]);
  expect(new Set([original, staged, committed].map((reading) => reading.digest)).size).toBe(3);
  expect(reset).toEqual(original);
});

test.each([
  ["in git", (files: Record<string, string>) => repositoryWith({ "a.txt": "1\n", ...files })],
  [
    "without git",
    (files: Record<string, string>) => {
      const folder = emptyFolder();
      write(folder, files);
      return folder;
    },
  ],
])("a damaged cache is an empty one (%s)", async (_, make) => {
  const folder = make(IGNORE);
  write(folder, { "new.txt": "1\n" });
  waitUntilSettled();
  const expected = await read(folder);
  for (const damage of ["", "\n", "[1,2,[3]]", "{}\nrubbish", "null", '{"format":1}\n']) {
    for (const file of cacheFiles(folder)) writeFileSync(file, damage);
    expect(await read(folder)).toEqual(expected);
  }
});

test.each([
  ["in git", () => repositoryWith({ "a.txt": "1\n" })],
  ["without git", () => emptyFolder()],
])("a file at rest is not read twice, not even by another process (%s)", async (_, make) => {
  const folder = make();
  write(folder, { ...IGNORE, "new.txt": "1\n" });
  waitUntilSettled();
  const before = await read(folder);
  const remembered = before.dirty["new.txt"]?.split(" ")[2] ?? "";
  const planted = "0".repeat(remembered.length);
  for (const file of cacheFiles(folder)) {
    writeFileSync(file, readFileSync(file, "latin1").replace(remembered, planted), "latin1");
  }
  expect((await read(folder)).dirty["new.txt"]).toContain(planted);
  write(folder, { "new.txt": "2\n" });
  expect((await read(folder)).dirty["new.txt"]).not.toContain(planted);
});

test("a file that was just written is read again", async () => {
  const folder = emptyFolder();
  write(folder, { ...IGNORE, "new.txt": "1\n" });
  await read(folder);
  expect(() => cacheFiles(folder)).toThrow();
});

test("a flipped bit in what is remembered of the index is noticed", async () => {
  const folder = repositoryWith({ "a.txt": "1\n" });
  write(folder, IGNORE);
  const expected = await read(folder);
  for (const file of cacheFiles(folder)) {
    const content = readFileSync(file);
    const at = content.indexOf(" blob ") + 6;
    content[at] = (content[at] ?? 0) ^ 1;
    writeFileSync(file, content);
  }
  expect(await read(folder)).toEqual(expected);
});

test("an id is remembered for the same file only: a new one with equal size and times is read", async () => {
  const folder = emptyFolder();
  mkdirSync(`${folder}/.holdfast`);
  waitUntilSettled();
  const put = (content: string) => {
    write(folder, { "a.txt": content });
    utimesSync(`${folder}/a.txt`, 1_000, 1_000);
  };
  put("1");
  const workspace = await openWorkspace({ projectDir: folder, stateDir: `${folder}/.holdfast` });
  const before = await workspace.read();
  put("2");
  const after = await workspace.read();
  expect(after.digest).not.toBe(before.digest);
});

test("attributes that change how a file is taken in make it be read again", async () => {
  const folder = repositoryWith({ "a.txt": "1\n" });
  write(folder, { "crlf.txt": "1\r\n" });
  waitUntilSettled();
  const workspace = await openWorkspace({ projectDir: folder, stateDir: `${folder}/.holdfast` });
  const before = await workspace.read();
  write(folder, { ".gitattributes": "*.txt text\n" });
  const after = await workspace.read();
  expect(after.dirty["crlf.txt"]).not.toBe(before.dirty["crlf.txt"]);
  expect(after).toEqual(await read(folder));
});

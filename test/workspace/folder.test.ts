import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, mkdirSync } from "node:fs";
import { expect, test } from "vitest";
import {
  commitAll,
  emptyFolder,
  git,
  link,
  makeExecutable,
  movesDigest,
  read,
  remove,
  write,
} from "./repositories.ts";

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

test("a folder without git lists each file with its mode and the hash of its bytes", async () => {
  const folder = emptyFolder();
  write(folder, { "a.txt": "1\r\n", "deep/er/b.sh": "2", "node_modules/x/y.js": "3" });
  makeExecutable(folder, "deep/er/b.sh");
  link(folder, "link", "deep/er");
  mkdirSync(`${folder}/empty`);
  expect(await read(folder)).toMatchObject({
    place: "folder",
    method: "folder",
    base: null,
    unavailable: [],
    dirty: {
      "a.txt": `100644 raw ${sha256("1\r\n")}`,
      "deep/er/b.sh": `100755 raw ${sha256("2")}`,
      link: `120000 link ${sha256("deep/er")}`,
    },
  });
});

test.each([
  ["an edit", true, (folder: string) => write(folder, { "a.txt": "2" })],
  ["a mode", true, (folder: string) => makeExecutable(folder, "a.txt")],
  ["a deletion", true, (folder: string) => remove(folder, "a.txt")],
  ["a carriage return", true, (folder: string) => write(folder, { "a.txt": "1\r" })],
  ["an installed dependency", false, (folder: string) => write(folder, { "node_modules/a": "1" })],
  [
    "a file below the state folder",
    false,
    (folder: string) => write(folder, { ".holdfast/x": "1" }),
  ],
  [
    "a neighbour of the state folder",
    true,
    (folder: string) => write(folder, { ".holdfast2/x": "1" }),
  ],
  ["a new file in a folder named dist", true, (folder: string) => write(folder, { "dist/x": "1" })],
])("a folder without git: %s gives another digest: %s", async (_, moves, change) => {
  const folder = emptyFolder();
  write(folder, { "a.txt": "1" });
  expect(await movesDigest(folder, () => change(folder))).toBe(moves);
});

test("a repository among the folders is read as git reads it, file by file", async () => {
  const folder = emptyFolder();
  write(folder, { "notes.txt": "1", "child/.gitignore": "out/\n", "child/a.txt": "1\n" });
  git(`${folder}/child`, "init", "--quiet");
  write(folder, { "child/out/x": "ignored" });
  const before = await read(folder);
  commitAll(`${folder}/child`);
  write(folder, { "child/out/y": "ignored" });
  const committed = await read(folder);
  write(folder, { "child/a.txt": "2\n" });
  const edited = await read(folder);

  expect(Object.keys(before.dirty)).toEqual(["child/.gitignore", "child/a.txt", "notes.txt"]);
  expect(committed.digest).toBe(before.digest);
  expect(edited.digest).not.toBe(before.digest);
  expect(edited.dirty["child/a.txt"]).not.toBe(before.dirty["child/a.txt"]);
});

test("what is no file makes the digest unavailable and is named", async () => {
  const folder = emptyFolder();
  execFileSync("mkfifo", [`${folder}/pipe`]);
  expect(await read(folder)).toMatchObject({
    digest: null,
    unavailable: [{ path: "pipe", reason: "not-a-file" }],
  });
});

test("a folder deeper than the limit is incomplete, not cut off", async () => {
  const folder = emptyFolder();
  write(folder, { [`${"d/".repeat(110)}a.txt`]: "1" });
  expect(await read(folder)).toMatchObject({
    digest: null,
    dirty: {},
    dirtyTruncated: true,
    unavailable: [{ path: null, reason: "incomplete" }],
  });
});

test.skipIf(process.getuid?.() === 0)(
  "files and folders that can't be read are named",
  async () => {
    const folder = emptyFolder();
    write(folder, { "a.txt": "1", "closed/b.txt": "1" });
    chmodSync(`${folder}/a.txt`, 0o000);
    chmodSync(`${folder}/closed`, 0o000);
    const reading = await read(folder);
    chmodSync(`${folder}/closed`, 0o700);
    expect(reading.digest).toBeNull();
    expect(new Set(reading.unavailable.map(({ path }) => path))).toEqual(
      new Set(["a.txt", "closed"]),
    );
  },
);

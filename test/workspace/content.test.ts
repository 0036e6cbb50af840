import { chmodSync, mkdirSync, renameSync, utimesSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import {
  commitAll,
  digest,
  emptyFolder,
  emptyRepository,
  git,
  link,
  makeExecutable,
  movesDigest,
  read,
  remove,
  repositoryWith,
  write,
} from "./repositories.ts";

const FILES = { "src/a.txt": "1\n", "src/b.txt": "2\n", "run.sh": "echo\n" };

test.each([
  ["an edit", (folder: string) => write(folder, { "src/a.txt": "2\n" })],
  ["an edit of the same length", (folder: string) => write(folder, { "src/a.txt": "9\n" })],
  ["a new file that is not tracked", (folder: string) => write(folder, { "src/c.txt": "" })],
  ["a deletion", (folder: string) => remove(folder, "src/a.txt")],
  ["a deletion that is staged", (folder: string) => git(folder, "rm", "--quiet", "src/a.txt")],
  ["a rename", (folder: string) => renameSync(`${folder}/src/a.txt`, `${folder}/src/z.txt`)],
  [
    "a swap of two files",
    (folder: string) => write(folder, { "src/a.txt": "2\n", "src/b.txt": "1\n" }),
  ],
  ["an executable bit", (folder: string) => makeExecutable(folder, "run.sh")],
  [
    "a file that becomes a link to the same content",
    (folder: string) => {
      remove(folder, "src/a.txt");
      write(folder, { "../outside.txt": "1\n" });
      link(folder, "src/a.txt", "../../outside.txt");
    },
  ],
  [
    "a file that becomes a folder",
    (folder: string) => {
      remove(folder, "src/a.txt");
      write(folder, { "src/a.txt/inside": "1\n" });
    },
  ],
  [
    "a folder that becomes a link to a copy of it",
    (folder: string) => {
      renameSync(`${folder}/src`, `${folder}/../moved`);
      link(folder, "src", "../moved");
    },
  ],
])("%s gives another digest", async (_, change) => {
  const folder = repositoryWith(FILES);
  expect(await movesDigest(folder, () => change(folder))).toBe(true);
});

test.each([
  ["a touch", (folder: string) => utimesSync(`${folder}/src/a.txt`, 1, 1)],
  ["an empty folder", (folder: string) => mkdirSync(`${folder}/empty`)],
  ["a permission that git does not keep", (folder: string) => chmodSync(`${folder}/run.sh`, 0o600)],
  [
    "rewriting the same bytes",
    (folder: string) => {
      remove(folder, "src/a.txt");
      write(folder, { "src/a.txt": "1\n" });
    },
  ],
  [
    "a branch of equal content",
    (folder: string) => git(folder, "switch", "--quiet", "--create", "other"),
  ],
  ["a commit without content", (folder: string) => commitAll(folder)],
  ["a repack", (folder: string) => git(folder, "gc", "--quiet")],
])("%s keeps the digest", async (_, change) => {
  const folder = repositoryWith(FILES);
  expect(await movesDigest(folder, () => change(folder))).toBe(false);
});

test("staging and committing keep the digest that the same content had before", async () => {
  const folder = repositoryWith(FILES);
  write(folder, { "src/a.txt": "changed\n", "new.txt": "new\n" });
  makeExecutable(folder, "run.sh");
  link(folder, "link", "src/a.txt");
  remove(folder, "src/b.txt");
  const before = await read(folder);

  git(folder, "add", "--all");
  const staged = await read(folder);
  commitAll(folder);
  const committed = await read(folder);

  expect(staged.digest).toBe(before.digest);
  expect(committed.digest).toBe(before.digest);
  expect(committed.commit).not.toBe(before.commit);
});

test("what is staged and edited further counts as it is in the working tree", async () => {
  const folder = repositoryWith(FILES);
  const original = await digest(folder);
  write(folder, { "src/a.txt": "staged\n" });
  git(folder, "add", "--all");
  write(folder, { "src/a.txt": "1\n" });
  expect(await digest(folder)).toBe(original);
});

test("a file that is removed from the index alone keeps the digest", async () => {
  const folder = repositoryWith(FILES);
  expect(
    await movesDigest(folder, () => git(folder, "rm", "--quiet", "--cached", "src/a.txt")),
  ).toBe(false);
});

test("stashing gives the digest of the stashed state, and popping gives the other one back", async () => {
  const folder = repositoryWith(FILES);
  const clean = await digest(folder);
  write(folder, { "src/a.txt": "work\n" });
  const dirty = await digest(folder);
  git(folder, "stash");
  expect(await digest(folder)).toBe(clean);
  git(folder, "stash", "pop");
  expect(await digest(folder)).toBe(dirty);
});

test("a link counts by its text, and what it points at does not count", async () => {
  const folder = repositoryWith(FILES);
  const outside = emptyFolder();
  write(outside, { "target.txt": "1" });
  link(folder, "outside", path.join(outside, "target.txt"));
  expect(await movesDigest(folder, () => write(outside, { "target.txt": "2" }))).toBe(false);
  expect(
    await movesDigest(folder, () => {
      remove(folder, "outside");
      link(folder, "outside", path.join(outside, "other.txt"));
    }),
  ).toBe(true);
});

test("two repositories with other histories and the same content have the same digest", async () => {
  const straight = repositoryWith(FILES);
  const roundabout = repositoryWith({ "src/a.txt": "other\n", "gone.txt": "x" });
  write(roundabout, FILES);
  remove(roundabout, "gone.txt");
  const fresh = emptyRepository();
  write(fresh, FILES);
  expect(await digest(roundabout)).toBe(await digest(straight));
  expect(await digest(fresh)).toBe(await digest(straight));
});

test("a file announced to the index counts by its content", async () => {
  const folder = repositoryWith(FILES);
  write(folder, { "new.txt": "new\n" });
  expect(await movesDigest(folder, () => git(folder, "add", "--intent-to-add", "new.txt"))).toBe(
    false,
  );
  expect(await movesDigest(folder, () => write(folder, { "new.txt": "newer\n" }))).toBe(true);
});

test("ignored files never count, and a tracked folder with the name of a build folder does", async () => {
  const folder = repositoryWith({
    ".gitignore": ".env\ndist/\n.cache/\n",
    "src/target/a.ts": "1\n",
  });
  write(folder, { ".env": "KEY=1", ".cache/x": "1", "dist/out.js": "1" });
  expect(await movesDigest(folder, () => write(folder, { ".cache/x": "2" }))).toBe(false);
  expect(await movesDigest(folder, () => write(folder, { ".env": "KEY=2" }))).toBe(false);
  expect(await movesDigest(folder, () => write(folder, { "src/target/a.ts": "2\n" }))).toBe(true);
  expect(
    await movesDigest(folder, () =>
      write(folder, { ".gitignore": ".env\ndist/\n.cache/\n*.log\n" }),
    ),
  ).toBe(true);
});

test("an ignored file that is tracked all the same counts", async () => {
  const folder = repositoryWith({ ".gitignore": "*.log\n" });
  write(folder, { "kept.log": "1\n" });
  git(folder, "add", "--force", "kept.log");
  expect(await movesDigest(folder, () => write(folder, { "kept.log": "2\n" }))).toBe(true);
});

test("conflicting files count as they are in the working tree", async () => {
  const folder = repositoryWith(FILES);
  git(folder, "switch", "--quiet", "--create", "other");
  write(folder, { "src/a.txt": "theirs\n" });
  commitAll(folder);
  git(folder, "switch", "--quiet", "main");
  write(folder, { "src/a.txt": "ours\n" });
  commitAll(folder);
  expect(() => git(folder, "merge", "other")).toThrow();

  const conflict = await read(folder);
  expect(conflict).toMatchObject({ operation: "merge", unavailable: [] });
  expect(Object.keys(conflict.dirty)).toEqual(["src/a.txt"]);
  expect(await movesDigest(folder, () => write(folder, { "src/a.txt": "both\n" }))).toBe(true);
  expect(await movesDigest(folder, () => git(folder, "add", "--all"))).toBe(false);
});

test("repositories with SHA-256 object ids are read as well", async () => {
  const folder = repositoryWith(FILES, "--object-format=sha256");
  write(folder, { "src/a.txt": "2\n", "new.txt": "" });
  link(folder, "link", "run.sh");
  const before = await digest(folder);
  commitAll(folder);
  expect(await digest(folder)).toBe(before);
});

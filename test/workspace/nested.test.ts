import { mkdirSync, renameSync } from "node:fs";
import { expect, test } from "vitest";
import {
  commitAll,
  digest,
  emptyRepository,
  git,
  link,
  movesDigest,
  read,
  remove,
  repositoryWith,
  write,
} from "./repositories.ts";

function withSubmodule(): string {
  const library = repositoryWith({ "lib.txt": "1\n" });
  const folder = repositoryWith({ "a.txt": "1\n" });
  git(folder, "submodule", "--quiet", "add", library, "library");
  commitAll(folder);
  return folder;
}

test.each([
  ["an edit in it", (folder: string) => write(folder, { "library/lib.txt": "2\n" })],
  ["a new file in it", (folder: string) => write(folder, { "library/new.txt": "" })],
  [
    "an edit in it that is hidden from git status",
    (folder: string) => {
      git(`${folder}/library`, "update-index", "--assume-unchanged", "lib.txt");
      write(folder, { "library/lib.txt": "2\n" });
    },
  ],
  [
    "an edit in it that the settings tell git to pass over",
    (folder: string) => {
      git(folder, "config", "submodule.library.ignore", "all");
      git(folder, "config", "diff.ignoreSubmodules", "all");
      write(folder, { "library/lib.txt": "2\n" });
    },
  ],
  ["a deletion", (folder: string) => remove(folder, "library")],
  [
    "a file in its place",
    (folder: string) => {
      remove(folder, "library");
      write(folder, { library: "file" });
    },
  ],
  [
    "a link in its place",
    (folder: string) => {
      renameSync(`${folder}/library`, `${folder}/../moved`);
      link(folder, "library", "../moved");
    },
  ],
])("a submodule: %s gives another digest and names it", async (_, change) => {
  const folder = withSubmodule();
  const before = await digest(folder);
  change(folder);
  const after = await read(folder);
  expect(after.unavailable).toEqual([]);
  expect(after.digest).not.toBe(before);
  expect(Object.keys(after.dirty)).toEqual(["library"]);
});

test("another commit in a submodule gives another digest, which recording it keeps", async () => {
  const folder = withSubmodule();
  const base = git(folder, "rev-parse", "HEAD");
  const before = await digest(folder);
  write(folder, { "library/lib.txt": "2\n" });
  const commit = commitAll(`${folder}/library`);
  const after = await read(folder);
  commitAll(folder);

  expect(after.digest).not.toBe(before);
  expect(after.dirty).toEqual({ library: `160000 commit ${commit}` });
  expect(await digest(folder)).toBe(after.digest);
  expect((await read(folder, { base })).dirty).toEqual(after.dirty);
});

test("a submodule that is not checked out counts as it is recorded", async () => {
  const folder = withSubmodule();
  const whole = await digest(folder);
  git(folder, "submodule", "--quiet", "deinit", "--all", "--force");
  expect(await digest(folder)).toBe(whole);
  expect(await movesDigest(folder, () => write(folder, { "library/stray.txt": "1" }))).toBe(true);
});

test("a submodule whose repository is broken counts by its files", async () => {
  const folder = withSubmodule();
  remove(folder, "library/.git");
  mkdirSync(`${folder}/library/.git`);
  expect(await movesDigest(folder, () => write(folder, { "library/lib.txt": "2\n" }))).toBe(true);
});

test("a submodule within a submodule counts", async () => {
  const middle = withSubmodule();
  const folder = repositoryWith({ "a.txt": "1\n" });
  git(folder, "submodule", "--quiet", "add", middle, "middle");
  git(folder, "submodule", "--quiet", "update", "--init", "--recursive");
  commitAll(folder);
  expect(await movesDigest(folder, () => write(folder, { "middle/library/lib.txt": "2\n" }))).toBe(
    true,
  );
});

test("a repository within the repository counts by its content", async () => {
  const folder = repositoryWith({ "a.txt": "1\n" });
  git(folder, "init", "--quiet", "nested");
  write(folder, { "nested/n.txt": "1\n" });
  const before = await digest(folder);
  commitAll(`${folder}/nested`);
  expect(await digest(folder)).toBe(before);
  expect(await movesDigest(folder, () => write(folder, { "nested/n.txt": "2\n" }))).toBe(true);
  expect(Object.keys((await read(folder)).dirty)).toEqual(["nested"]);
});

test("a folder that only looks like a repository counts by its content", async () => {
  const folder = repositoryWith({ "a.txt": "1\n" });
  git(folder, "init", "--quiet", "nested");
  write(folder, {
    "nested/n.txt": "1\n",
    "nested/.git/config": "[core]\n\trepositoryformatversion = 0\n",
  });
  remove(folder, "nested/.git/HEAD");
  expect(await movesDigest(folder, () => write(folder, { "nested/n.txt": "2\n" }))).toBe(true);
});

test("a repository within the repository that git declines makes the whole unavailable", async () => {
  const folder = repositoryWith({ "a.txt": "1\n" });
  git(folder, "init", "--quiet", "nested");
  write(folder, { "nested/.git/config": "[core]\n\trepositoryformatversion = 99\n" });
  expect(await read(folder)).toMatchObject({
    digest: null,
    unavailable: [{ path: "nested", reason: "git-refused" }],
  });
});

test("a repository without anything in it is read", async () => {
  const folder = emptyRepository();
  expect(await read(folder)).toMatchObject({ commit: null, dirty: {}, unavailable: [] });
});

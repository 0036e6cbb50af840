import { expect, test } from "vitest";
import {
  digest,
  git,
  link,
  makeExecutable,
  movesDigest,
  read,
  remove,
  repositoryWith,
  write,
} from "./repositories.ts";

const FILES = { "a.txt": "1\n", "src/b.txt": "2\n", "docs/c.txt": "3\n" };

test.each(["--assume-unchanged", "--skip-worktree"])(
  "an edit that %s hides from git status gives another digest and is listed",
  async (flag) => {
    const folder = repositoryWith(FILES);
    git(folder, "update-index", flag, "a.txt", "src/b.txt");
    const before = await digest(folder);
    write(folder, { "a.txt": "hidden\n" });
    expect(git(folder, "status", "--porcelain")).toBe("");
    const after = await read(folder);
    expect(after.digest).not.toBe(before);
    expect(Object.keys(after.dirty)).toEqual(["a.txt"]);
    write(folder, { "a.txt": "1\n" });
    expect(await digest(folder)).toBe(before);
  },
);

test.each(["--assume-unchanged", "--skip-worktree"])(
  "a mode and a link that %s hides count",
  async (flag) => {
    const folder = repositoryWith(FILES);
    git(folder, "update-index", flag, "a.txt");
    expect(await movesDigest(folder, () => makeExecutable(folder, "a.txt"))).toBe(true);
    remove(folder, "a.txt");
    expect(await movesDigest(folder, () => link(folder, "a.txt", "src/b.txt"))).toBe(true);
  },
);

test("setting a flag alone changes nothing", async () => {
  const folder = repositoryWith(FILES);
  expect(
    await movesDigest(folder, () => {
      git(folder, "update-index", "--assume-unchanged", "a.txt");
      git(folder, "update-index", "--skip-worktree", "src/b.txt");
    }),
  ).toBe(false);
});

test("a file that is assumed unchanged and is gone counts as deleted", async () => {
  const folder = repositoryWith(FILES);
  git(folder, "update-index", "--assume-unchanged", "a.txt");
  remove(folder, "a.txt");
  expect((await read(folder)).dirty).toEqual({ "a.txt": null });
});

test("a hidden file behind a link that took its folder's place is not read through the link", async () => {
  const folder = repositoryWith(FILES);
  git(folder, "update-index", "--assume-unchanged", "src/b.txt");
  const before = await digest(folder);
  write(folder, { "../copy/b.txt": "2\n" });
  remove(folder, "src");
  link(folder, "src", "../copy");
  const after = await read(folder);
  expect(after.digest).not.toBe(before);
  expect(after.dirty).toMatchObject({ "src/b.txt": null });
});

test("what a sparse checkout leaves out counts as it is recorded", async () => {
  const folder = repositoryWith(FILES);
  const whole = await digest(folder);
  git(folder, "sparse-checkout", "set", "src");
  expect(await digest(folder)).toBe(whole);
  expect((await read(folder)).dirty).toEqual({});
  git(folder, "sparse-checkout", "set", "--sparse-index", "src");
  expect(await digest(folder)).toBe(whole);
});

test("a file that stands where a sparse checkout left one out counts by its content", async () => {
  const folder = repositoryWith(FILES);
  git(folder, "sparse-checkout", "set", "src");
  expect(await movesDigest(folder, () => write(folder, { "docs/c.txt": "other\n" }))).toBe(true);
  expect(Object.keys((await read(folder)).dirty)).toEqual(["docs/c.txt"]);
});

import { expect, test } from "vitest";
import { emptyFolder, git, read, remove, repositoryWith, write } from "./repositories.ts";

const pathsOf = async (folder: string) =>
  (await read(folder, { paths: true })).paths?.toSorted() ?? null;

test("all paths are listed where they are asked for: what is there now and not ignored", async () => {
  const folder = repositoryWith({ "a.txt": "1", "src/b.txt": "2", ".gitignore": "*.log\n" });
  write(folder, { "src/new.txt": "3", "x.log": "4", "naïve name.txt": "5" });
  remove(folder, "a.txt");
  expect(await pathsOf(folder)).toEqual([
    ".gitignore",
    "naïve name.txt",
    "src/b.txt",
    "src/new.txt",
  ]);
  expect(await read(folder)).not.toHaveProperty("paths");
});

test("a folder without git lists its files too", async () => {
  const folder = emptyFolder();
  write(folder, { "a.txt": "1", "src/b.txt": "2", "node_modules/x/index.js": "3" });
  expect(await pathsOf(folder)).toEqual(["a.txt", "src/b.txt"]);
});

test("a repository without a commit lists what would be in it", async () => {
  const folder = repositoryWith({ "a.txt": "1" });
  git(folder, "checkout", "--quiet", "--orphan", "other");
  git(folder, "rm", "--quiet", "--cached", "a.txt");
  expect(await pathsOf(folder)).toEqual(["a.txt"]);
});

import { existsSync, mkdirSync, renameSync, symlinkSync } from "node:fs";
import { expect, test } from "vitest";
import { openWorkspace } from "../../src/workspace/index.ts";
import {
  commitAll,
  digest,
  emptyFolder,
  emptyRepository,
  git,
  imageOf,
  makeExecutable,
  movesDigest,
  read,
  remove,
  repositoryWith,
  write,
} from "./repositories.ts";

function withoutGit<Value>(work: () => Promise<Value>): Promise<Value> {
  const searchPath = process.env.PATH;
  process.env.PATH = emptyFolder();
  return work().finally(() => {
    process.env.PATH = searchPath;
  });
}

test("main and linked working trees are told apart, and equal content has an equal digest", async () => {
  const main = repositoryWith({ "sub/a.txt": "1\n" });
  git(main, "worktree", "add", "--quiet", "../w1");
  git(main, "worktree", "add", "--quiet", "../w2");
  const linked = `${main}/../w1`;
  const inMain = await read(main);
  const inLinked = await read(`${linked}/sub`);
  expect(inMain).toMatchObject({ place: "main", folder: "", branch: "main" });
  expect(inLinked).toMatchObject({ place: "w1", folder: "sub", branch: "w1" });
  expect(await read(`${main}/../w2`)).toMatchObject({ place: "w2", folder: "" });
  expect(inLinked.digest).toBe(inMain.digest);
  expect(await movesDigest(linked, () => write(linked, { "sub/a.txt": "2\n" }))).toBe(true);
  expect(await digest(main)).toBe(inMain.digest);
});

test("a linked working tree that is named main is not taken for the main one", async () => {
  const folder = repositoryWith({ "a.txt": "1\n" });
  git(folder, "worktree", "add", "--quiet", "-b", "other", "../linked/main");
  expect(await read(`${folder}/../linked/main`)).toMatchObject({ place: "linked:main" });
});

test("a reading of a working tree that was removed says that its folder is gone", async () => {
  const folder = repositoryWith({ "a.txt": "1\n" });
  git(folder, "worktree", "add", "--quiet", "../w1");
  const projectDir = `${folder}/../w1`;
  const workspace = await openWorkspace({ projectDir, stateDir: `${folder}/.holdfast` });
  git(folder, "worktree", "remove", "../w1");
  expect(await workspace.read()).toMatchObject({
    digest: null,
    unavailable: [{ path: null, reason: "folder-missing" }],
  });
});

test("four folders: in each an edit gives another digest and is named", async () => {
  const plain = emptyFolder();
  const unborn = emptyRepository();
  const outer = repositoryWith({ "sub/a.txt": "1\n", "other.txt": "1\n" });
  const sub = `${outer}/sub`;
  const gitless = repositoryWith({ "a.txt": "1\n" });
  for (const folder of [plain, unborn]) write(folder, { "a.txt": "1\n" });

  for (const folder of [plain, unborn, sub]) {
    expect(await movesDigest(folder, () => write(folder, { "a.txt": "2\n" }))).toBe(true);
  }
  await withoutGit(async () => {
    expect(await movesDigest(gitless, () => write(gitless, { "a.txt": "2\n" }))).toBe(true);
    expect(await read(gitless)).toMatchObject({ place: "folder", method: "folder" });
  });
  expect(await read(plain)).toMatchObject({ place: "folder", method: "folder", commit: null });
  expect(Object.keys((await read(plain)).dirty)).toEqual(["a.txt"]);
  expect(await read(unborn)).toMatchObject({ place: "main", method: "git", commit: null });
  expect(Object.keys((await read(unborn)).dirty)).toEqual(["a.txt"]);
  expect(await read(sub)).toMatchObject({ method: "git", folder: "sub" });
  expect(Object.keys((await read(sub)).dirty)).toEqual(["sub/a.txt"]);
  expect(existsSync(`${plain}/.git`)).toBe(false);
});

test("the digest of a subfolder covers the whole working tree around it", async () => {
  const folder = repositoryWith({ "sub/a.txt": "1\n", "other.txt": "1\n" });
  expect(await movesDigest(`${folder}/sub`, () => write(folder, { "other.txt": "2\n" }))).toBe(
    true,
  );
});

test("the same content under another path, or over a link, has the same digest", async () => {
  const folder = repositoryWith({ "a.txt": "1\n" });
  write(folder, { "b.txt": "2\n" });
  const before = await read(folder);
  const link = `${emptyFolder()}/link`;
  symlinkSync(folder, link);
  expect(await read(link)).toEqual(before);
  renameSync(folder, `${folder}-renamed`);
  expect(await read(`${folder}-renamed`)).toEqual(before);
});

test("a git init after the workspace was opened is seen", async () => {
  const folder = emptyFolder();
  write(folder, { "a.txt": "1\n" });
  const location = { projectDir: folder, stateDir: `${folder}/.holdfast` };
  const workspace = await openWorkspace(location);
  expect(await workspace.read()).toMatchObject({ method: "folder" });
  git(folder, "init", "--quiet");
  expect(await workspace.read()).toMatchObject({ method: "git" });
  remove(folder, ".git");
  expect(await workspace.read()).toMatchObject({ method: "folder" });
});

test("a project that the repository around it ignores is read as a folder", async () => {
  const outer = repositoryWith({ ".gitignore": "*\n" });
  write(outer, { "project/a.txt": "1\n" });
  const project = `${outer}/project`;
  expect(await read(project)).toMatchObject({ method: "folder", unavailable: [] });
  expect(await movesDigest(project, () => write(project, { "a.txt": "2\n" }))).toBe(true);
});

test("a project is read as a folder once the repository around it begins to ignore it", async () => {
  const outer = repositoryWith({ "a.txt": "1\n" });
  const projectDir = `${outer}/project`;
  write(projectDir, { "a.txt": "1\n" });
  const workspace = await openWorkspace({ projectDir, stateDir: `${projectDir}/.holdfast` });
  expect(await workspace.read()).toMatchObject({ method: "git" });
  write(outer, { ".gitignore": "project/\n" });
  expect(await workspace.read()).toMatchObject({ method: "folder" });
});

test("a folder in a bare repository is read as a folder", async () => {
  const folder = emptyRepository("--bare");
  write(folder, { "sub/a.txt": "1\n" });
  expect(await read(`${folder}/sub`)).toMatchObject({ method: "folder", unavailable: [] });
});

test("a repository of an unknown format is declined, not read as a folder", async () => {
  const folder = repositoryWith({ "a.txt": "1\n" });
  git(folder, "config", "core.repositoryformatversion", "99");
  expect(await read(folder)).toMatchObject({
    digest: null,
    unavailable: [{ path: null, reason: "git-refused" }],
  });
});

test("variables that point git elsewhere change nothing", async () => {
  const folder = repositoryWith({ "a.txt": "1\n" });
  const other = repositoryWith({ "b.txt": "1\n" });
  const expected = await read(folder);
  const variables = {
    GIT_DIR: `${other}/.git`,
    GIT_WORK_TREE: other,
    GIT_INDEX_FILE: `${other}/.git/index`,
    GIT_OBJECT_DIRECTORY: `${other}/.git/objects`,
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: "core.worktree",
    GIT_CONFIG_VALUE_0: other,
    GIT_PREFIX: "sub/",
    GIT_LITERAL_PATHSPECS: "1",
    GIT_TRACE: "1",
  };
  Object.assign(process.env, variables);
  try {
    expect(await read(folder)).toEqual(expected);
  } finally {
    for (const name of Object.keys(variables)) delete process.env[name];
  }
});

test("a program named git in the project is not run", async () => {
  const folder = repositoryWith({ "a.txt": "1\n", git: "#!/bin/sh\ntouch was-run\n" });
  makeExecutable(folder, "git");
  const searchPath = process.env.PATH;
  const currentFolder = process.cwd();
  process.env.PATH = `:.:${searchPath}`;
  process.chdir(folder);
  try {
    expect(await read(folder)).toMatchObject({ method: "git", unavailable: [] });
  } finally {
    process.env.PATH = searchPath;
    process.chdir(currentFolder);
  }
  expect(existsSync(`${folder}/was-run`)).toBe(false);
});

test("an operation that git is in the middle of is named", async () => {
  const folder = repositoryWith({ "a.txt": "1\n" });
  const first = git(folder, "rev-parse", "HEAD");
  git(folder, "switch", "--quiet", "--create", "work");
  write(folder, { "a.txt": "work\n" });
  commitAll(folder);
  git(folder, "switch", "--quiet", "main");
  write(folder, { "a.txt": "main\n" });
  commitAll(folder);
  expect(() => git(folder, "cherry-pick", "work")).toThrow();
  expect(await read(folder)).toMatchObject({ operation: "cherry-pick", branch: "main" });
  git(folder, "cherry-pick", "--abort");
  git(folder, "switch", "--quiet", "work");
  expect(() => git(folder, "rebase", "main")).toThrow();
  expect(await read(folder)).toMatchObject({ operation: "rebase", branch: null });
  git(folder, "rebase", "--abort");
  expect(() => git(folder, "revert", first, "HEAD")).toThrow();
  expect(await read(folder)).toMatchObject({ operation: "revert" });
  git(folder, "revert", "--abort");
  git(folder, "bisect", "start");
  expect(await read(folder)).toMatchObject({ operation: "bisect" });
});

test("a reading in each place leaves everything under .git as it is", async () => {
  const main = repositoryWith({ "a.txt": "1\n", "b.txt": "1\n", ".gitignore": ".env\n" });
  write(main, { "a.txt": "stashed\n" });
  git(main, "stash");
  git(main, "worktree", "add", "--quiet", "../w1");
  write(main, { "a.txt": "staged\n" });
  git(main, "add", "a.txt");
  write(main, { "b.txt": "2\n", "results.csv": "1,2\n", ".env": "KEY=1" });
  write(main, { ".git/hooks/post-index-change": "#!/bin/sh\ntouch .git/hook-was-run\n" });
  git(main, "config", "core.fsmonitor", "touch .git/monitor-was-run");
  git(main, "config", "core.untrackedCache", "true");
  git(main, "config", "user.name", "");
  mkdirSync(`${main}/.holdfast`);
  write(main, { ".holdfast/.gitignore": "*\n" });
  const before = imageOf(main);

  const base = git(main, "rev-parse", "HEAD");
  const location = { projectDir: main, stateDir: `${main}/.holdfast` };
  const workspace = await openWorkspace(location);
  await workspace.read();
  await workspace.read({ base: git(main, "rev-parse", "stash@{0}") });
  await workspace.read({ base: null });
  await read(`${main}/../w1`, { base });
  await workspace.fileDigest("b.txt");

  const after = Object.entries(imageOf(main)).filter(([name]) => !name.startsWith(".holdfast/"));
  const expected = Object.entries(before).filter(([name]) => !name.startsWith(".holdfast/"));
  // The state folder's own time changes with the cache that is put into it.
  const withoutFolder = (image: [string, string][]) =>
    Object.fromEntries(image.filter(([name]) => name !== ".holdfast"));
  expect(withoutFolder(after)).toEqual(withoutFolder(expected));
  expect(git(main, "fsck")).toBe("");
});

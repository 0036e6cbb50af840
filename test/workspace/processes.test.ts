import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { openWorkspace } from "../../src/workspace/index.ts";
import { emptyFolder, git, makeExecutable, repositoryWith, write } from "./repositories.ts";

/** Puts a git on the path that notes what it is asked for, and answers with `answer` or as git does. */
function watchGit(answer = 'exec "$REAL_GIT" "$@"'): () => string[] {
  const folder = emptyFolder();
  const real = execFileSync("/bin/sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
  const note = `for word in "$@"; do case $word in ls-files|status|config|hash-object|rev-parse|check-ignore|diff-index) echo $word >> '${folder}/calls'; break;; esac; done`;
  write(folder, { git: `#!/bin/sh\nREAL_GIT='${real}'\n${note}\n${answer}\n`, calls: "" });
  makeExecutable(folder, "git");
  const searchPath = process.env.PATH;
  process.env.PATH = `${folder}:${searchPath}`;
  onTestFinished(() => {
    process.env.PATH = searchPath;
  });
  return () => {
    const calls = readFileSync(`${folder}/calls`, "utf8").split("\n").slice(0, -1);
    write(folder, { calls: "" });
    return calls.sort();
  };
}

async function opened(folder: string) {
  return openWorkspace({ projectDir: folder, stateDir: `${folder}/.holdfast` });
}

test("a repeated reading asks git for its settings and its status, and reads only what changed", async () => {
  const folder = repositoryWith({ "a.txt": "1\n" });
  const base = git(folder, "rev-parse", "HEAD");
  write(folder, { ".holdfast/.gitignore": "*\n" });
  const calls = watchGit();
  const workspace = await opened(folder);
  await workspace.read();
  expect(calls()).toEqual(["check-ignore", "config", "ls-files", "rev-parse", "status"]);
  await workspace.read({ base });
  expect(calls()).toEqual(["config", "status"]);
  write(folder, { "a.txt": "2\n" });
  await workspace.read();
  expect(calls()).toEqual(["config", "hash-object", "status"]);
  await (await opened(folder)).read();
  expect(calls()).toEqual(["check-ignore", "config", "hash-object", "rev-parse", "status"]);
});

test("git is not asked about a folder above which no .git entry stands", async () => {
  const folder = emptyFolder();
  const calls = watchGit();
  const workspace = await opened(folder);
  expect((await workspace.read()).method).toBe("folder");
  expect(calls()).toEqual([]);
});

test.each([
  ["fails", "exit 3"],
  ["is killed", "kill -9 $$"],
  ["says something else", "echo something else"],
])("a git that %s makes the tree unavailable and throws nothing", async (_, answer) => {
  const folder = repositoryWith({ "a.txt": "1\n" });
  watchGit(answer);
  const reading = await (await opened(folder)).read();
  expect(reading).toMatchObject({ digest: null, dirtyTruncated: true });
  expect(reading.unavailable[0]?.reason).toMatch(/^git-(refused|failed)$/);
});

test.each(["status", "ls-files", "config", "hash-object"])(
  "a git whose %s fails makes the tree unavailable",
  async (command) => {
    const folder = repositoryWith({ "a.txt": "1\n" });
    write(folder, { "a.txt": "2\n" });
    watchGit(`case " $* " in *" ${command} "*) exit 128;; esac; exec "$REAL_GIT" "$@"`);
    const reading = await (await opened(folder)).read();
    expect(reading.digest).toBeNull();
    expect(reading.unavailable).not.toEqual([]);
  },
);

test("a reading begins again when the index moves under it", async () => {
  const folder = repositoryWith({ "a.txt": "1\n" });
  const expected = (await (await opened(folder)).read()).digest;
  const mark = `${emptyFolder()}/moved`;
  const once = `[ -e '${mark}' ] || { touch '${mark}' .git/index; }`;
  watchGit(`case " $* " in *" status "*) ${once};; esac; exec "$REAL_GIT" "$@"`);
  expect((await (await opened(folder)).read()).digest).toBe(expected);
});

test("a reading gives up on an index that always moves after three times", async () => {
  const folder = repositoryWith({ "a.txt": "1\n" });
  const calls = watchGit(
    'case " $* " in *" status "*) touch .git/index;; esac; exec "$REAL_GIT" "$@"',
  );
  expect(await (await opened(folder)).read()).toMatchObject({
    digest: null,
    unavailable: [{ path: null, reason: "changed-while-read" }],
  });
  expect(calls().filter((command) => command === "status")).toHaveLength(3);
});

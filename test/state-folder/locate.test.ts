import { chmodSync, mkdirSync, renameSync } from "node:fs";
import { homedir } from "node:os";
import process from "node:process";
import { expect, onTestFinished, test } from "vitest";
import { locateStateFolder, type StateFolderSearch } from "../../src/state-folder/index.ts";
import { workingTreesOf } from "../../src/workspace/index.ts";
import {
  emptyFolder,
  git,
  link,
  remove,
  repositoryWith,
  write,
} from "../workspace/repositories.ts";

function locate(from: string, more: Partial<StateFolderSearch> = {}) {
  return locateStateFolder({ from, workingTrees: workingTreesOf, ...more });
}

function withJournal(folder: string, stateDir = ".holdfast"): string {
  write(folder, { [`${stateDir}/journal.sqlite`]: "" });
  return `${folder}/${stateDir}`;
}

function withLinkedTree(): { main: string; linked: string } {
  const main = repositoryWith({ "sub/deep/a.txt": "1\n" });
  git(main, "worktree", "add", "--quiet", "../linked");
  return { main, linked: main.replace(/project$/, "linked") };
}

test("HOLDFAST_DIR names the state folder itself, before any other", async () => {
  const project = emptyFolder();
  const elsewhere = emptyFolder();
  withJournal(project);
  expect(await locate(project, { named: `${elsewhere}/state` })).toEqual({
    stateDir: `${elsewhere}/state`,
    projectDir: project,
    exists: false,
  });
  write(elsewhere, { "state/journal.sqlite": "" });
  expect(await locate(project, { named: `${elsewhere}/state` })).toMatchObject({ exists: true });
});

test("an empty HOLDFAST_DIR is none", async () => {
  const project = emptyFolder();
  const stateDir = withJournal(project);
  expect(await locate(project, { named: "" })).toMatchObject({ stateDir });
});

test("a HOLDFAST_DIR of the usual name belongs to the folder that holds it", async () => {
  const { main, linked } = withLinkedTree();
  for (const name of [".holdfast", ".pi/piagent-state"]) {
    const named = `${main}/${name}`;
    expect(await locate(`${main}/sub/deep`, { named })).toMatchObject({ projectDir: main });
    expect(await locate(`${linked}/sub`, { named })).toMatchObject({ projectDir: linked });
  }
});

test.each([".holdfast", ".pi/piagent-state"])(
  "the nearest folder upwards whose %s holds a journal is the project",
  async (name) => {
    const project = repositoryWith({ "sub/deep/a.txt": "1\n" });
    const stateDir = withJournal(project, name);
    const found = { stateDir, projectDir: project, exists: true };
    expect(await locate(`${project}/sub/deep`)).toEqual(found);
    mkdirSync(`${project}/sub/.holdfast`);
    expect(await locate(`${project}/sub/deep`)).toEqual(found);
    const nearer = withJournal(`${project}/sub`);
    expect(await locate(`${project}/sub/deep`)).toMatchObject({
      stateDir: nearer,
      projectDir: `${project}/sub`,
    });
  },
);

test("the search stops at the top of the working tree, and without git goes on", async () => {
  const outer = emptyFolder();
  const stateDir = withJournal(outer);
  mkdirSync(`${outer}/inner/sub`, { recursive: true });
  expect(await locate(`${outer}/inner/sub`)).toMatchObject({ stateDir, projectDir: outer });
  git(`${outer}/inner`, "init", "--quiet");
  expect(await locate(`${outer}/inner/sub`)).toEqual({
    stateDir: `${outer}/inner/sub/.holdfast`,
    projectDir: `${outer}/inner/sub`,
    exists: false,
  });
});

test("a linked working tree uses the journal of the main one", async () => {
  const { main, linked } = withLinkedTree();
  const stateDir = withJournal(main);
  expect(await locate(`${linked}/sub`)).toEqual({ stateDir, projectDir: linked, exists: true });
  const nearer = withJournal(`${main}/sub`);
  expect(await locate(`${linked}/sub/deep`)).toEqual({
    stateDir: nearer,
    projectDir: `${linked}/sub`,
    exists: true,
  });
});

test("a journal in the linked working tree comes before one in the main tree", async () => {
  const { main, linked } = withLinkedTree();
  withJournal(main);
  const stateDir = withJournal(linked);
  expect(await locate(`${linked}/sub`)).toMatchObject({ stateDir, projectDir: linked });
});

test("a journal that is made from a linked working tree is made in the main one", async () => {
  const { main, linked } = withLinkedTree();
  expect(await locate(linked)).toEqual({
    stateDir: `${main}/.holdfast`,
    projectDir: linked,
    exists: false,
  });
  const made = await locate(`${linked}/sub`);
  expect(made).toMatchObject({ stateDir: `${main}/sub/.holdfast`, projectDir: `${linked}/sub` });
  withJournal(`${main}/sub`);
  expect(await locate(`${linked}/sub`)).toEqual({ ...made, exists: true });
  expect(await locate(`${main}/sub`)).toMatchObject({ stateDir: made.stateDir });
});

test("a linked working tree beside a bare repository has a journal of its own", async () => {
  const source = repositoryWith({ "a.txt": "1\n" });
  const around = emptyFolder();
  git(source, "clone", "--quiet", "--bare", source, `${around}/.git`);
  git(around, "worktree", "add", "--quiet", "linked", "main");
  expect(await locate(`${around}/linked`)).toMatchObject({
    stateDir: `${around}/linked/.holdfast`,
    projectDir: `${around}/linked`,
  });
});

test("where Pi is the host or the project has .pi, the state folder is made there", async () => {
  const project = emptyFolder();
  expect(await locate(project)).toMatchObject({ stateDir: `${project}/.holdfast` });
  expect(await locate(project, { piHost: true })).toMatchObject({
    stateDir: `${project}/.pi/piagent-state`,
  });
  mkdirSync(`${project}/.pi`);
  expect(await locate(project)).toMatchObject({ stateDir: `${project}/.pi/piagent-state` });
});

test("two journals in one folder are refused", async () => {
  const project = emptyFolder();
  withJournal(project, ".holdfast");
  withJournal(project, ".pi/piagent-state");
  await expect(locate(project)).rejects.toMatchObject({ code: "journal/two-journals" });
});

test.each([".holdfast", ".pi", ".pi/piagent-state", ".holdfast/journal.sqlite"])(
  "a symbolic link at %s is refused, with a journal behind it or without",
  async (name) => {
    const project = emptyFolder();
    const outside = emptyFolder();
    const isPi = name.startsWith(".pi");
    withJournal(project, isPi ? ".pi/piagent-state" : ".holdfast");
    renameSync(`${project}/${name}`, `${outside}/moved`);
    link(project, name, `${outside}/moved`);
    await expect(locate(project)).rejects.toMatchObject({ code: "journal/unsafe-path" });
    remove(outside, "moved");
    await expect(locate(project)).rejects.toMatchObject({ code: "journal/unsafe-path" });
  },
);

test("a HOLDFAST_DIR that goes over a link below the project is refused, one elsewhere is not", async () => {
  const project = emptyFolder();
  const outside = emptyFolder();
  mkdirSync(`${outside}/real`);
  link(project, "state", outside);
  link(outside, "alias", "real");
  await expect(locate(project, { named: `${project}/state/x` })).rejects.toMatchObject({
    code: "journal/unsafe-path",
  });
  expect(await locate(project, { named: `${outside}/alias` })).toMatchObject({
    stateDir: `${outside}/real`,
  });
});

test("the home folder is never a project", async () => {
  const home = emptyFolder();
  const variable = process.env.HOME;
  process.env.HOME = home;
  try {
    expect(homedir()).toBe(home);
    withJournal(home);
    mkdirSync(`${home}/project`);
    expect(await locate(`${home}/project`)).toMatchObject({
      stateDir: `${home}/project/.holdfast`,
      exists: false,
    });
    await expect(locate(home)).rejects.toMatchObject({ code: "journal/unsafe-path" });
  } finally {
    process.env.HOME = variable;
  }
});

test("a folder that is not there is refused", async () => {
  await expect(locate(`${emptyFolder()}/missing`)).rejects.toMatchObject({
    code: "input/unreadable",
  });
});

test("a folder that is somebody else's is not taken for a state folder", async () => {
  const project = repositoryWith({ "src/a.txt": "1\n" });
  for (const named of [`${project}/src`, project, `${project}/.git`, `${project}/.git/holdfast`]) {
    await expect(locate(project, { named }), named).rejects.toMatchObject({
      code: "journal/unsafe-path",
    });
  }
  write(project, { ".pi/piagent-state/notes.txt": "another extension's" });
  const usual = `${project}/.pi/piagent-state`;
  expect(await locate(project, { named: usual })).toMatchObject({ stateDir: usual });
  const empty = emptyFolder();
  expect(await locate(project, { named: empty })).toMatchObject({ stateDir: empty });
});

test("a state folder that can't be entered is told, and not taken for none", async ({ skip }) => {
  if (process.getuid?.() === 0) skip("Root can enter any folder, so this was not tried.");
  const project = emptyFolder();
  const stateDir = withJournal(project);
  chmodSync(stateDir, 0o000);
  onTestFinished(() => chmodSync(stateDir, 0o700));
  await expect(locate(project)).rejects.toMatchObject({ code: "journal/not-writable" });
});

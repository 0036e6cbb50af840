import { chmod, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import process from "node:process";
import { expect, test } from "vitest";
import {
  A_TASK,
  aFolder,
  aProject,
  COMMAND,
  endOf,
  eventsOf,
  git,
  projectIn,
  start,
} from "./holdfast.ts";

test("FR-010: eight processes that begin at once on a fresh folder share one journal", async () => {
  const project = await aProject();
  const sessions = Array.from({ length: 8 }, (_, index) => `s-${index}`);
  const ended = await Promise.all(
    sessions.map((session) => {
      const words = ["task", "start", ...A_TASK, "--session", session, "--json"];
      return endOf(start(words, { folder: project.folder }));
    }),
  );
  const started = ended.filter(({ code }) => code === 0).map(({ stdout }) => JSON.parse(stdout));
  expect(started).not.toEqual([]);
  for (const { stdout } of ended.filter(({ code }) => code !== 0)) {
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: "journal/busy" } });
  }
  const events = await eventsOf(project);
  expect(events.filter(({ header }) => header.type === "journal.opened")).toHaveLength(1);
  expect(events.map(({ header }) => header.seq)).toEqual(events.map((_, index) => index + 1));
  const begun = events.filter(({ header }) => header.type === "task.started");
  expect(begun.map(({ header }) => header.run)).toEqual(
    expect.arrayContaining(started.map(({ run }) => run)),
  );
  expect((await project.holdfast(["journal", "verify"])).code).toBe(0);
});

/**
 * A folder for PATH with a `git` that makes the project's journal at one of its calls, as another
 * process would, and says how often it was called.
 */
async function gitThatMakesJournal(call: number) {
  const folder = await aFolder();
  const calls = path.join(folder, "calls");
  const lines = [
    "#!/bin/sh",
    `PATH='${process.env.PATH}'`,
    `echo call >> '${calls}'`,
    `[ "$(wc -l < '${calls}')" -ne ${call} ] || '${process.execPath}' '${COMMAND}' init > '${folder}/init'`,
    'exec git "$@"',
  ];
  await writeFile(path.join(folder, "git"), lines.join("\n"));
  await chmod(path.join(folder, "git"), 0o755);
  const called = async () => (await readFile(calls, "utf8")).trim().split("\n").length;
  return { PATH: `${folder}:${process.env.PATH}`, called };
}

test("a task is begun once, wherever on the way another process makes the journal", async () => {
  for (let call = 1, calls = 1; call <= calls; call++) {
    // In a linked working tree, finding the state folder takes git as well.
    const project = projectIn(path.join(await aFolder(), "linked"));
    git((await aProject()).folder, "worktree", "add", "--quiet", project.folder);
    const { PATH, called } = await gitThatMakesJournal(call);
    const begun = await project.answer(["task", "start", ...A_TASK], { env: { PATH } });
    calls = await called();
    expect(begun).toMatchObject({ code: 0 });
    const events = await eventsOf(project);
    const { run } = begun.json;
    const runs = events.flatMap(({ header }) => (header.type === "task.started" ? header.run : []));
    expect(runs).toEqual([run]);
    expect(events.filter(({ header }) => header.type === "journal.opened")).toHaveLength(1);
  }
});

test("commands that are observed at once are all recorded, each with its own end", async () => {
  const project = await aProject();
  await project.holdfast(["init"]);
  const codes = [11, 12, 13, 14, 15, 16];
  const ended = await Promise.all(
    codes.map((code) => project.holdfast(["exec", "-c", `exit ${code}`])),
  );
  expect(ended.map(({ code }) => code)).toEqual(codes);
  const observed = (await eventsOf(project)).filter((it) => it.header.type === "command.observed");
  expect(observed.map(({ body }) => body.exitCode).toSorted()).toEqual(codes);
});

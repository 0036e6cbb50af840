import { readdirSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { FROZEN_V1, placeStore } from "../journal-sqlite/version-one.ts";
import { A_TASK, aFolder, aProject, changeInDatabase, type Project } from "./holdfast.ts";

/** A project whose journal a newer version has made: its tables have more than is known here. */
async function aNewerProject(): Promise<Project> {
  const project = await aProject();
  await project.holdfast(["task", "start", ...A_TASK]);
  await project.holdfast(["verify"]);
  changeInDatabase(
    project.folder,
    "ALTER TABLE events ADD COLUMN of_tomorrow TEXT; CREATE TABLE tomorrow (a); PRAGMA user_version = 3",
  );
  return project;
}

/** Everything that reads a journal tells all of it and ends with 0, whatever of it is newer. */
const TOLD_OF_NEWER = [
  ["task", "list"],
  ["task", "show"],
  ["log"],
  ["log", "--json"],
  ["show", "3"],
  ["journal", "verify"],
  ["journal", "export"],
] as const;

test.each(TOLD_OF_NEWER.map((words) => ({ words, call: words.join(" ") })))(
  "$call tells a journal of a newer store version, with a notice",
  async ({ words }) => {
    const { holdfast } = await aNewerProject();
    const { code, stdout, stderr } = await holdfast(words);
    expect(code).toBe(0);
    expect(stdout.length).toBeGreaterThan(40);
    expect(stderr).toMatch(/written by a newer Holdfast \(store version 3, this one knows 2\)/);
    expect(stderr).toContain("Upgrade");
  },
);

test("the status of a journal of a newer store version is shown, and is not all there is", async () => {
  const { answer, holdfast } = await aNewerProject();
  expect(await answer(["status"])).toMatchObject({
    code: 3,
    json: { task: { taskId: expect.stringContaining("make-the-check-pass") } },
  });
  expect((await holdfast(["status"])).stderr).toContain("newer Holdfast");
});

test("nothing is written to a journal of a newer store version, and nobody goes on in it", async () => {
  const { answer, folder, holdfast } = await aNewerProject();
  const before = (await holdfast(["journal", "export"])).stdout;
  const evidence = ["--criterion", "criterion-01", "--kind", "behavioral-check", "--ref", "seq:6"];
  for (const words of [
    ["verify"],
    ["gate"],
    ["gate", "--record"],
    ["resume"],
    ["conclude", "--outcome", "completed"],
    ["evidence", "add", ...evidence],
    ["takeover", "--reason", "to see", "--session", "s-2"],
    ["task", "start", ...A_TASK, "--session", "s-2"],
    ["journal", "import", path.join(folder, "check.sh")],
    ["journal", "backup", path.join(folder, "copy.sqlite")],
  ]) {
    expect(await answer(words), words.join(" ")).toMatchObject({
      code: 3,
      json: { error: { code: "journal/newer-format", remedy: "Upgrade Holdfast." } },
    });
  }
  expect((await holdfast(["exec", "--", "true"])).code).toBe(3);
  expect((await answer(["doctor"])).json.checks).toContainEqual(
    expect.objectContaining({ name: "version", ok: false, remedy: "Upgrade Holdfast." }),
  );
  expect((await holdfast(["journal", "export"])).stdout).toBe(before);
});

test("tables of a newer version that can't be read end in the one error that says so", async () => {
  const { answer, folder } = await aNewerProject();
  changeInDatabase(folder, "ALTER TABLE events RENAME TO occurrences");
  for (const words of [["log"], ["status"], ["task", "list"], ["journal", "verify"]]) {
    expect(await answer(words)).toMatchObject({
      code: 3,
      json: {
        error: {
          code: "journal/newer-format",
          message: expect.stringContaining("its tables can't be read here"),
        },
      },
    });
  }
});

test("an old journal is upgraded in passing, and the doctor names the copy that is kept", async () => {
  const { answer, folder } = await aProject();
  placeStore(FROZEN_V1, path.join(folder, ".holdfast", "journal.sqlite"));
  expect(await answer(["journal", "verify"])).toMatchObject({ code: 0, json: { events: 23 } });
  expect(readdirSync(path.join(folder, ".holdfast"))).toContain("journal.sqlite.before-v2");
  const { code, json } = await answer(["doctor"]);
  expect(code).toBe(0);
  expect(json.checks).toContainEqual({
    name: "version",
    ok: true,
    detail:
      "store version 2; as it was before its upgrade it is kept in journal.sqlite.before-v2 until you delete that",
    remedy: null,
  });
});

test("a backup is one whole file, and takes the place of a lost journal (FR-015)", async () => {
  const { answer, folder, holdfast } = await aProject();
  await holdfast(["task", "start", ...A_TASK]);
  const noted = (await holdfast(["journal", "head"])).stdout.trim();
  const file = path.join(await aFolder(), "backup.sqlite");
  const made = await answer(["journal", "backup", file]);
  const [seq, hash] = noted.split(":");
  expect(made).toEqual({
    code: 0,
    json: { path: file, events: 4, head: { seq: Number(seq), hash } },
  });
  expect(readdirSync(path.dirname(file))).toEqual(["backup.sqlite"]);
  expect(await answer(["journal", "backup", file])).toMatchObject({
    code: 2,
    json: { error: { code: "input/exists" } },
  });
  expect(await answer(["journal", "backup", file, "--force"])).toMatchObject({ code: 0 });
  const within = path.join(folder, ".holdfast", "backup.sqlite");
  expect(await answer(["journal", "backup", within])).toMatchObject({
    code: 2,
    json: { error: { code: "input/not-writable" } },
  });

  // As docs/journal-store.md says it.
  const back = await aProject();
  placeStore(file, path.join(back.folder, ".holdfast", "journal.sqlite"));
  expect(await back.answer(["journal", "verify", "--head", noted])).toMatchObject({
    code: 0,
    json: { ok: true, events: 4 },
  });
  expect(await back.holdfast(["exec", "--", "true"])).toMatchObject({ code: 0 });
});

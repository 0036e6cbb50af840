import { chmodSync, chownSync, cpSync, existsSync, mkdirSync, readdirSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { expect, test } from "vitest";
import { anEvent, appendTo } from "../journal/makers.ts";
import { temporaryFolder } from "../journal-sqlite/makers.ts";
import { journalFileIn, journalIn, stateDirIn, storedIn } from "./journals.ts";
import { WITH_OWN_DISKS, whyNoOwnDisks } from "./own-disks.ts";
import { runWorker } from "./processes.ts";
import type { RightsJob } from "./rights-worker.ts";
import { treeOf } from "./trees.ts";

const isRoot = process.getuid?.() === 0;
/** Root may do anything, so someone without any rights is who tries. */
const NOBODY = 65_534;
const AS_NOBODY = isRoot
  ? ["setpriv", `--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups", "--"]
  : [];

/** A journal as a killed process leaves it: three events, two of them in the log alone. */
async function killedJournal(): Promise<string> {
  const source = temporaryFolder();
  const { journal, close } = await journalIn(source);
  await appendTo(journal, anEvent({ n: 2 }));
  await appendTo(journal, anEvent({ n: 3 }));
  const folder = temporaryFolder();
  cpSync(stateDirIn(source), stateDirIn(folder), { recursive: true });
  await close();
  chmodSync(stateDirIn(folder), 0o700);
  return folder;
}

function giveToNobody(folder: string): void {
  if (!isRoot) return;
  const below = readdirSync(folder, { recursive: true, encoding: "utf8" });
  for (const name of ["", ...below]) chownSync(path.join(folder, name), NOBODY, NOBODY);
}

const tryIn = (job: RightsJob, through = AS_NOBODY) =>
  runWorker("rights-worker", job, () => {}, through);

const ENTRIES: Readonly<Record<string, (folder: string) => string>> = {
  "the project": (folder) => folder,
  "the state folder": stateDirIn,
  "the journal": journalFileIn,
  "the log": (folder) => journalFileIn(folder, "-wal"),
  "the index of the log": (folder) => journalFileIn(folder, "-shm"),
};

/** Each way in which the owner's rights to read (4), write (2) and enter (1) can be there or not. */
const RIGHTS = [0, 1, 2, 3, 4, 5, 6, 7];

async function expectStoredOrRefused(entry: string, rights: number): Promise<void> {
  const folder = await killedJournal();
  giveToNobody(folder);
  const changed = ENTRIES[entry]?.(folder) ?? "";
  chmodSync(changed, rights << 6);
  const before = treeOf(folder);
  const { said, complaints } = await tryIn({ folder, create: "never" });
  const what = `rights ${rights} at ${entry}`;
  expect(complaints, what).toBe("");
  expect(["stored 4", "refused journal/not-writable journal"], what).toContain(said[0]);
  const isStored = said[0] === "stored 4";
  if (!isStored) expect(treeOf(folder), what).toEqual(before);
  if (rights === 7) expect(isStored, what).toBe(true);
  if (existsSync(changed)) chmodSync(changed, 0o700);
  expect(await storedIn(folder), what).toHaveLength(isStored ? 4 : 3);
}

test.each(Object.keys(ENTRIES))(
  "whatever rights to %s are missing, an event is stored, or nothing is and a typed error tells",
  async (entry) => {
    await Promise.all(RIGHTS.map((rights) => expectStoredOrRefused(entry, rights)));
  },
  60_000,
);

test("no journal begins where none can be written, and nothing is left of the attempt", async () => {
  for (const [project, stateDir] of [
    [0o500, null],
    [0o700, 0o500],
    [0o700, 0o000],
  ] as const) {
    const folder = temporaryFolder();
    if (stateDir !== null) mkdirSync(stateDirIn(folder), { mode: stateDir });
    giveToNobody(folder);
    chmodSync(folder, project);
    const before = treeOf(folder);
    const { said, complaints } = await tryIn({ folder, create: "where-none-was" });
    expect([said, complaints]).toEqual([["refused journal/not-writable journal"], ""]);
    expect(treeOf(folder)).toEqual(before);
    chmodSync(folder, 0o700);
  }
}, 60_000);

test("a journal of another user is not written, whether it can be read or not", async ({
  skip,
}) => {
  if (!isRoot) skip("Only root can make a journal that belongs to someone else.");
  for (const [folderMode, fileMode] of [
    [0o700, 0o600],
    [0o755, 0o644],
  ] as const) {
    const folder = await killedJournal();
    chmodSync(folder, 0o755);
    chmodSync(stateDirIn(folder), folderMode);
    for (const suffix of ["", "-wal", "-shm"] as const) {
      chmodSync(journalFileIn(folder, suffix), fileMode);
    }
    const before = treeOf(folder);
    const { said, complaints } = await tryIn({ folder, create: "never" });
    expect([said, complaints]).toEqual([["refused journal/not-writable journal"], ""]);
    expect(treeOf(folder)).toEqual(before);
  }
}, 60_000);

test("on a file system that is mounted to be read, a typed error tells, with or without a journal", async ({
  skip,
}) => {
  const why = whyNoOwnDisks();
  if (why !== null) skip(why);
  for (const folder of [await killedJournal(), temporaryFolder()]) {
    const before = treeOf(folder);
    const mount = 'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && exec "$@"';
    const job: RightsJob = { folder, create: "where-none-was" };
    const { said, complaints } = await tryIn(job, [...WITH_OWN_DISKS, "sh", "-c", mount, folder]);
    expect([said, complaints]).toEqual([["refused journal/not-writable journal"], ""]);
    expect(treeOf(folder)).toEqual(before);
  }
}, 60_000);

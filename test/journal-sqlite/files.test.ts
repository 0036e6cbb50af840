import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import process from "node:process";
import { expect, onTestFinished, test } from "vitest";
import { JOURNAL_FILE } from "../../src/state-folder/index.ts";
import { anEvent, appendTo, fixedPorts, openJournal } from "../journal/makers.ts";
import { journalFileIn, openStoreIn, stateDirIn, temporaryFolder } from "./makers.ts";

const isRoot = process.getuid?.() === 0;
const modeOf = (entry: string) => (statSync(entry).mode & 0o777).toString(8);

test("only the owner can read the folder and every file in it", async () => {
  const folder = temporaryFolder();
  await appendTo(await openJournal(await openStoreIn(folder)), anEvent());
  expect(modeOf(stateDirIn(folder))).toBe("700");
  const names = readdirSync(stateDirIn(folder)).sort();
  expect(names).toEqual([
    ".gitignore",
    "journal.sqlite",
    "journal.sqlite-shm",
    "journal.sqlite-wal",
  ]);
  for (const name of names) expect(modeOf(path.join(stateDirIn(folder), name))).toBe("600");
});

test("rights that others have are taken away at the next opening", async () => {
  const folder = temporaryFolder();
  await (await openStoreIn(folder)).close();
  chmodSync(stateDirIn(folder), 0o755);
  chmodSync(journalFileIn(folder), 0o644);
  await openStoreIn(folder);
  expect([modeOf(stateDirIn(folder)), modeOf(journalFileIn(folder))]).toEqual(["700", "600"]);
});

test("the folder hides itself from git and from nothing else", async () => {
  const folder = temporaryFolder();
  await openStoreIn(folder);
  expect(readFileSync(path.join(stateDirIn(folder), ".gitignore"), "utf8")).toBe("*\n");
  expect(readdirSync(folder)).toEqual([".holdfast"]);
});

test("where no journal is, none is made unless that is allowed", async () => {
  const folder = temporaryFolder();
  await expect(openStoreIn(folder, { create: "never" })).rejects.toMatchObject({
    code: "journal/missing",
    message: expect.stringContaining("There is no journal"),
  });
  expect(readdirSync(folder)).toEqual([]);
});

test("a journal that is gone is missed, and a new one begins only when asked for", async () => {
  const folder = temporaryFolder();
  const first = await openStoreIn(folder);
  const key = await first.commandKey();
  await first.close();
  rmSync(journalFileIn(folder));
  await expect(openStoreIn(folder)).rejects.toMatchObject({
    code: "journal/missing",
    message: expect.stringContaining("held a journal before"),
  });
  expect(existsSync(journalFileIn(folder))).toBe(false);
  const second = await openStoreIn(folder, { create: "new-after-loss", ports: fixedPorts(2) });
  expect(await second.commandKey()).not.toBe(key);
});

test("a log without its journal is kept under another name and never played into a new one", async () => {
  const lost = temporaryFolder();
  const store = await openStoreIn(lost);
  await appendTo(await openJournal(store), anEvent({ of: "the lost journal" }));
  const folder = temporaryFolder();
  mkdirSync(stateDirIn(folder));
  const log = readFileSync(`${journalFileIn(lost)}-wal`);
  writeFileSync(`${journalFileIn(folder)}-wal`, log);
  await expect(openStoreIn(folder)).rejects.toMatchObject({
    code: "journal/missing",
    message: expect.stringContaining("held a journal before"),
  });
  const begun = await openStoreIn(folder, { create: "new-after-loss", ports: fixedPorts(2) });
  expect((await begun.extent()).head.seq).toBe(1);
  const kept = readdirSync(stateDirIn(folder)).filter((name) => name.includes(".lost-"));
  expect(kept).toHaveLength(1);
  expect(readFileSync(path.join(stateDirIn(folder), kept[0] ?? "")).equals(log)).toBe(true);
});

test.each([
  ["deleted", (file: string) => rmSync(file)],
  ["moved away", (file: string) => renameSync(file, `${file}.old`)],
  [
    "replaced",
    (file: string) => {
      const copy = readFileSync(file);
      renameSync(file, `${file}.old`);
      writeFileSync(file, copy);
    },
  ],
] as const)("nothing is written to a journal that was %s while it was open", async (_, change) => {
  const folder = temporaryFolder();
  const journal = await openJournal(await openStoreIn(folder));
  await appendTo(journal, anEvent({ n: 2 }));
  change(journalFileIn(folder));
  await expect(appendTo(journal, anEvent({ n: 3 }))).rejects.toMatchObject({
    code: "journal/replaced",
  });
});

test("a closed store says that it is closed", async () => {
  const store = await openStoreIn(temporaryFolder());
  const journal = await openJournal(store);
  await store.close();
  const closed = expect.objectContaining({ code: "journal/closed" });
  await expect(store.extent()).rejects.toEqual(closed);
  await expect(store.read(0, 1)).rejects.toEqual(closed);
  await expect(store.commandKey()).rejects.toEqual(closed);
  await expect(appendTo(journal, anEvent())).rejects.toEqual(closed);
});

test.each([
  ["the state folder", ".holdfast", ".holdfast"],
  ["a folder above it", ".pi", ".pi/piagent-state"],
  ["a folder above it whose name begins with dots", "..state", "..state/piagent-state"],
] as const)("%s is never a symbolic link", async (_, link, state) => {
  const folder = temporaryFolder();
  const elsewhere = temporaryFolder();
  mkdirSync(path.join(elsewhere, "piagent-state"));
  symlinkSync(elsewhere, path.join(folder, link));
  const stateDir = path.join(folder, state);
  await expect(openStoreIn(folder, { stateDir })).rejects.toMatchObject({
    code: "journal/unsafe-path",
    message: expect.stringContaining(path.join(folder, link)),
  });
  expect(readdirSync(path.join(elsewhere, "piagent-state"))).toEqual([]);
});

test.each([
  JOURNAL_FILE,
  `${JOURNAL_FILE}-wal`,
  `${JOURNAL_FILE}-shm`,
  `${JOURNAL_FILE}-journal`,
  ".gitignore",
])("%s is never a symbolic link, wherever it leads", async (name) => {
  for (const target of ["victim", "nothing-here"]) {
    const folder = temporaryFolder();
    mkdirSync(stateDirIn(folder));
    writeFileSync(path.join(folder, "victim"), "precious");
    symlinkSync(path.join(folder, target), path.join(stateDirIn(folder), name));
    await expect(openStoreIn(folder)).rejects.toMatchObject({ code: "journal/unsafe-path" });
    expect(readFileSync(path.join(folder, "victim"), "utf8")).toBe("precious");
  }
});

test.each([
  ["a file where the state folder should be", (dir: string) => writeFileSync(dir, "")],
  [
    "a folder where the journal should be",
    (dir: string) => mkdirSync(path.join(dir, JOURNAL_FILE), { recursive: true }),
  ],
] as const)("%s is refused", async (_, make) => {
  const folder = temporaryFolder();
  make(stateDirIn(folder));
  await expect(openStoreIn(folder)).rejects.toMatchObject({ code: "journal/unsafe-path" });
});

test("a state folder below a file can't be used, and that is said", async () => {
  const folder = temporaryFolder();
  writeFileSync(path.join(folder, "file"), "");
  const stateDir = path.join(folder, "file", "state");
  await expect(openStoreIn(temporaryFolder(), { stateDir })).rejects.toMatchObject({
    code: "journal/not-writable",
  });
});

test("a state folder that can't be written says so", async ({ skip }) => {
  if (isRoot) skip("Root can write anywhere, so this was not tried.");
  const folder = temporaryFolder();
  chmodSync(folder, 0o500);
  onTestFinished(() => chmodSync(folder, 0o700));
  await expect(openStoreIn(folder)).rejects.toMatchObject({ code: "journal/not-writable" });
});

test("a journal in a folder that can't be written says so", async ({ skip }) => {
  if (isRoot) skip("Root can write anywhere, so this was not tried.");
  const folder = temporaryFolder();
  await (await openStoreIn(folder)).close();
  chmodSync(journalFileIn(folder), 0o400);
  chmodSync(stateDirIn(folder), 0o500);
  onTestFinished(() => chmodSync(stateDirIn(folder), 0o700));
  await expect(openStoreIn(folder)).rejects.toMatchObject({ code: "journal/not-writable" });
});

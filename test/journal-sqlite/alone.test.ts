import { spawn } from "node:child_process";
import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { expect, onTestFinished, test } from "vitest";
import { verifyRows } from "../../src/journal/index.ts";
import { type SqliteStoreOptions, soleUserFileSystem } from "../../src/journal-sqlite/index.ts";
import { anEvent, appendTo, fixedPorts, hashOf, openJournal } from "../journal/makers.ts";
import { journalFileIn, openStoreIn, stateDirIn, temporaryFolder } from "./makers.ts";
import { FROZEN_V1, FROZEN_V1_HEAD, glanceAt, placeStore } from "./version-one.ts";

const ALONE = { sharing: "exclusive", lockWaitMs: 30 } as const;

test("a journal that one process has alone needs no shared memory, and is synced at each commit", async () => {
  const folder = temporaryFolder();
  const store = await openStoreIn(folder, { ...ALONE, durability: "process" });
  expect(await store.describe()).toMatchObject({ journalMode: "truncate", synchronous: "full" });
  await appendTo(await openJournal(store), anEvent({ n: 2 }));
  expect(readdirSync(stateDirIn(folder)).sort()).toEqual([
    ".gitignore",
    "journal.sqlite",
    "journal.sqlite-journal",
  ]);
  expect(statSync(`${journalFileIn(folder)}-journal`)).toMatchObject({ size: 0, mode: 0o100600 });
});

test.each([{ sharing: "exclusive" }, { sharing: "detect" }] as const)(
  "while one process has the journal alone, another (%o) is told why, and to kill nothing",
  async (other) => {
    const folder = temporaryFolder();
    await openStoreIn(folder, ALONE);
    const refused = openStoreIn(folder, { lockWaitMs: 30, ...other });
    await expect(refused).rejects.toMatchObject({ code: "journal/busy", kind: "busy" });
    const error = (await refused.catch((thrown: unknown) => thrown)) as Error & { remedy: string };
    expect(`${error.message} ${error.remedy}`).not.toMatch(/kill|process id|pid/i);
    if (other.sharing === "exclusive") {
      expect(error.message).toContain("open to one at a time, because it was opened for one alone");
      expect(error.remedy).toContain("its lock goes with it");
    }
  },
);

test("who wants a journal alone waits until all others have closed it", async () => {
  const folder = temporaryFolder();
  const shared = await openStoreIn(folder);
  await expect(openStoreIn(folder, ALONE)).rejects.toMatchObject({ code: "journal/busy" });
  const waiting = openStoreIn(folder, { ...ALONE, lockWaitMs: 30_000 });
  await shared.close();
  expect((await (await waiting).extent()).head.seq).toBe(1);
});

test("several that want a journal alone get it one after the other", async () => {
  const folder = temporaryFolder();
  await (await openStoreIn(folder, ALONE)).close();
  const writers = Array.from({ length: 4 }, async (_, n) => {
    const store = await openStoreIn(folder, { ...ALONE, lockWaitMs: 30_000 });
    await appendTo(await openJournal(store, fixedPorts(n + 1)), anEvent({ n }));
    await store.close();
  });
  await Promise.all(writers);
  const store = await openStoreIn(folder);
  expect(await verifyRows(await store.read(0, 10), hashOf)).toMatchObject({ ok: true, events: 5 });
});

test("a journal goes from shared to alone and back with all its events", async () => {
  const folder = temporaryFolder();
  const modes: string[] = [];
  for (const sharing of ["detect", "exclusive", "detect"] as const) {
    const store = await openStoreIn(folder, { sharing });
    await appendTo(await openJournal(store, fixedPorts(modes.length + 1)), anEvent());
    modes.push((await store.describe()).journalMode);
    await store.close();
  }
  expect(modes).toEqual(["wal", "truncate", "wal"]);
  expect((await (await openStoreIn(folder)).extent()).head.seq).toBe(4);
});

test("an old journal is upgraded with its copy by one who has it alone", async () => {
  const folder = temporaryFolder();
  placeStore(FROZEN_V1, journalFileIn(folder));
  const store = await openStoreIn(folder, ALONE);
  expect((await store.extent()).head).toEqual(FROZEN_V1_HEAD);
  const copy = `${journalFileIn(folder)}.before-v2`;
  expect(glanceAt(copy)).toEqual({ version: 1, events: 23, head: FROZEN_V1_HEAD });
});

test("what was taken out is in no byte of the files that one process has alone", async () => {
  const folder = temporaryFolder();
  const store = await openStoreIn(folder, ALONE);
  const secret = "hunter2-was-here";
  const journal = await openJournal(store);
  const [event] = await appendTo(journal, anEvent({ secret: secret.repeat(500) }));
  const { seq = 0, bodyDigest = "" } = event?.header ?? {};
  await journal.append([], (append) => {
    const items = [{ seq, bodyDigest, replacement: null }];
    append.add([anEvent({ reason: "a secret", items }, { type: "journal.shed" })]);
    append.takeOut({ shed: [{ seq, text: null }] });
  });
  await journal.purge();
  for (const name of readdirSync(stateDirIn(folder))) {
    expect(readFileSync(path.join(stateDirIn(folder), name)).includes(secret)).toBe(false);
  }
});

/** A process of its own that opens the journal alone, appends so many events, and lives on. */
async function holding(folder: string, script = ""): Promise<() => Promise<void>> {
  const options = {
    projectDir: folder,
    stateDir: stateDirIn(folder),
    create: "where-none-was",
    sharing: "exclusive",
  } satisfies Partial<SqliteStoreOptions>;
  const source = path.join(import.meta.dirname, "../..");
  const program = `
    const { openSqliteStore } = await import("${source}/src/journal-sqlite/index.ts");
    const { REAL_PORTS } = await import("${source}/test/faults/ports.ts");
    const store = await openSqliteStore({ ...${JSON.stringify(options)}, ports: REAL_PORTS });
    ${script}
    console.log("held");
    setInterval(() => {}, 1_000);`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", program], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, NODE_OPTIONS: "", NODE_NO_WARNINGS: "1" },
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const { promise: held, resolve: hold } = Promise.withResolvers<void>();
  createInterface({ input: child.stdout }).on("line", () => hold());
  await held;
  return async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    child.once("exit", () => resolve());
    child.kill("SIGKILL");
    await promise;
  };
}

test("the lock of a killed process is gone with it, and nothing of the process was stored (FR-078)", async () => {
  const folder = temporaryFolder();
  const kill = await holding(folder);
  await expect(openStoreIn(folder, ALONE)).rejects.toMatchObject({ code: "journal/busy" });
  await kill();
  const store = await openStoreIn(folder, { ...ALONE, lockWaitMs: 0 });
  expect((await store.extent()).head.seq).toBe(1);
  await store.close();
  const bootId = "/proc/sys/kernel/random/boot_id";
  const told = [hostname(), ...(existsSync(bootId) ? [readFileSync(bootId, "utf8").trim()] : [])];
  for (const name of readdirSync(stateDirIn(folder))) {
    const bytes = readFileSync(path.join(stateDirIn(folder), name));
    for (const text of told) expect(bytes.includes(text)).toBe(false);
  }
});

test("what a process left half-written is rolled back, and an empty lock file stops nobody (FR-078)", async () => {
  const folder = temporaryFolder();
  // Spills into the file before it commits, as a large transaction does.
  const script = `
    const { default: Database } = await import("better-sqlite3");
    await store.close();
    const database = new Database(${JSON.stringify(journalFileIn(folder))});
    database.pragma("journal_mode = DELETE");
    database.pragma("cache_size = 1");
    database.exec("BEGIN IMMEDIATE; UPDATE head SET seq = 99");
    const insert = database.prepare("INSERT INTO meta VALUES (?, zeroblob(5000))");
    for (let n = 0; n < 50; n++) insert.run("name " + n);`;
  await (await holding(folder, script))();
  expect(statSync(`${journalFileIn(folder)}-journal`).size).toBeGreaterThan(1_000);
  const store = await openStoreIn(folder, ALONE);
  expect((await store.extent()).head.seq).toBe(1);
  await store.close();

  closeSync(openSync(`${journalFileIn(folder)}-journal`, "w"));
  writeFileSync(`${journalFileIn(folder)}-shm`, "");
  for (const sharing of ["exclusive", "detect"] as const) {
    const again = await openStoreIn(folder, { sharing });
    expect((await again.extent()).head.seq).toBe(1);
    await again.close();
  }
});

test.each([
  [0x6969, "NFS"],
  [0xff534d42, "CIFS"],
  // The same, where the number has 32 bits and a sign.
  [0xff534d42 | 0, "CIFS"],
  [0x65735546, "FUSE"],
  [0x01021997, "9P"],
  // ext4, tmpfs, Btrfs, overlayfs, XFS.
  [0xef53, null],
  [0x01021994, null],
  [0x9123683e, null],
  [0x794c7630, null],
  [0x58465342, null],
] as const)("the file system 0x%x is known as %s to be for one process at a time", (type, name) => {
  expect(soleUserFileSystem(type)).toBe(name);
});

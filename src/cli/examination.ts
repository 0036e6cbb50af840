import { spawnSync } from "node:child_process";
import { existsSync, lstatSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import type { Engine } from "../engine/index.ts";
import { HoldfastError } from "../errors.ts";
import {
  copiesBeforeUpgrades,
  type StoreDescription,
  soleUserFileSystemOf,
  sqliteVersion,
} from "../journal-sqlite/index.ts";
import { openProject } from "../open.ts";
import {
  entriesOpenToOthers,
  hadJournal,
  JOURNAL_FILE,
  type StateFolder,
  tighten,
} from "../state-folder/index.ts";
import { switchesOf } from "../switches.ts";
import type { Call } from "./command.ts";
import { locateProject, projectOf } from "./project.ts";
import { counted } from "./text.ts";
import type { Check } from "./view-schemas.ts";

/** A write-ahead log larger than this was not taken into the database for long. */
const WRITE_AHEAD_BYTES_MAX = 64 * 1024 * 1024;

/** Looks at everything that a call needs. Changes nothing but, if told so, rights in the state folder. */
export async function examine(call: Call, fix: boolean): Promise<readonly Check[]> {
  const checks: Check[] = [platformCheck(), await sqliteCheck(), gitCheck(), switchesCheck()];
  let located: StateFolder;
  try {
    located = await locateProject(call);
  } catch (error) {
    return [...checks, failed("state-folder", error)];
  }
  const { stateDir } = located;
  if (!existsSync(path.join(stateDir, JOURNAL_FILE))) {
    return [...checks, noJournalCheck(stateDir)];
  }
  // Opening the journal tightens rights too, so they are looked at before.
  checks.push(rightsCheck(stateDir, fix));
  return [...checks, ...(await journalChecks(call))];
}

function platformCheck(): Check {
  const { platform, arch, version } = process;
  const tested = platform === "linux" || platform === "darwin";
  return {
    name: "node",
    ok: tested,
    detail: `${version} on ${platform} ${arch}`,
    remedy: tested ? null : `Holdfast is tested on Linux and macOS only, not on ${platform}.`,
  };
}

async function sqliteCheck(): Promise<Check> {
  try {
    return sound("sqlite", `${await sqliteVersion()}, loaded`);
  } catch (error) {
    return failed("sqlite", error);
  }
}

function gitCheck(): Check {
  const { error, status, stdout } = spawnSync("git", ["--version"], { encoding: "utf8" });
  if (error === undefined && status === 0) return sound("git", stdout.trim());
  return {
    name: "git",
    ok: false,
    detail: "no git program can be run",
    remedy:
      "Install git, or put it on the PATH: without it every file of the folder counts, ignored ones too.",
  };
}

function switchesCheck(): Check {
  const { problems } = switchesOf(process.env);
  if (problems.length === 0) return sound("switches", "all known");
  const remedy = "Correct these variables, or unset them.";
  return { name: "switches", ok: false, detail: problems.join(" "), remedy };
}

function noJournalCheck(stateDir: string): Check {
  if (!hadJournal(stateDir)) return sound("journal", `none yet; it would be made in ${stateDir}`);
  return {
    name: "journal",
    ok: false,
    detail: `the journal that was in ${stateDir} is gone`,
    remedy: "Put the file back from a backup, or begin a new journal with `holdfast init --new`.",
  };
}

function rightsCheck(stateDir: string, fix: boolean): Check {
  const open = entriesOpenToOthers(stateDir);
  if (fix) for (const entry of open) tighten(entry);
  const left = fix ? entriesOpenToOthers(stateDir) : open;
  const named = (entries: typeof open) =>
    entries.map((entry) => path.relative(stateDir, entry) || ".").join(", ");
  if (left.length > 0) {
    return {
      name: "rights",
      ok: false,
      detail: `others have rights to ${named(left)} in ${stateDir}`,
      remedy: fix
        ? "These belong to another user, who has to take the rights away."
        : "Take them away: holdfast doctor --fix",
    };
  }
  const taken = open.length > 0 ? `; taken from others: ${named(open)}` : "";
  return sound("rights", `only you have rights to ${stateDir}${taken}`);
}

async function journalChecks(call: Call): Promise<readonly Check[]> {
  try {
    const { engine, folder, sqlite } = await openProject({ ...projectOf(call), create: "never" });
    try {
      const { ok, events, problems } = await engine.journal.verify();
      return [
        ...(sqlite === null ? [] : storeChecks(await sqlite.describe(), engine, folder.stateDir)),
        writeAheadCheck(folder.stateDir),
        ok
          ? sound("journal", `${counted(events, "event")}, all as they were written`)
          : {
              name: "journal",
              ok: false,
              detail: problems[0]?.message ?? "it does not hold",
              remedy: "See all problems: holdfast journal verify",
            },
      ];
    } finally {
      await engine.close();
    }
  } catch (error) {
    return [failed("journal", error)];
  }
}

function storeChecks(
  store: StoreDescription,
  { journal }: Engine,
  stateDir: string,
): readonly Check[] {
  return [
    versionCheck(store, journal.readOnly, stateDir),
    durabilityCheck(store),
    sharingCheck(store, stateDir),
    purgeCheck(store),
  ];
}

function versionCheck(
  { storeVersion }: StoreDescription,
  readOnly: HoldfastError | null,
  stateDir: string,
): Check {
  if (readOnly !== null) return failed("version", readOnly);
  const copies = copiesBeforeUpgrades(stateDir);
  const kept =
    copies.length === 0
      ? ""
      : `; as it was before its upgrade it is kept in ${copies.join(", ")} until you delete that`;
  return sound("version", `store version ${storeVersion}${kept}`);
}

/** Which failures an acknowledged event survives, by the settings in force. */
function durabilityCheck({ journalMode, synchronous }: StoreDescription): Check {
  const ok = synchronous === "full" || synchronous === "extra";
  const values = `journal_mode ${journalMode}, synchronous ${synchronous}`;
  return {
    name: "durability",
    ok,
    detail: ok
      ? `${values}: an acknowledged event survives a power cut`
      : `${values}: an acknowledged event survives a killed process, and not always a power cut`,
    remedy: ok ? null : "Open the journal with full durability.",
  };
}

/** Opening the journal has tried it already. */
function purgeCheck({ purgePending }: StoreDescription): Check {
  if (!purgePending) return sound("purge", "nothing that was taken out is left in the file");
  return {
    name: "purge",
    ok: false,
    detail: "bytes of what was shed or compacted may still be in the journal's file or its log",
    remedy:
      "End the other processes that use the journal, see that there is room on the disk, and repeat this call.",
  };
}

function sharingCheck({ journalMode }: StoreDescription, stateDir: string): Check {
  if (journalMode === "wal") return sound("sharing", "several processes may use it at once");
  const name = soleUserFileSystemOf(stateDir);
  const why = name === null ? "gives processes no memory to share" : `is ${name}`;
  return {
    name: "sharing",
    ok: true,
    detail: `one process at a time may use it: its file system ${why}`,
    remedy:
      "For several at once, put the state folder on a local disk and name it with HOLDFAST_DIR.",
  };
}

function writeAheadCheck(stateDir: string): Check {
  const file = path.join(stateDir, `${JOURNAL_FILE}-wal`);
  const bytes = lstatSync(file, { throwIfNoEntry: false })?.size ?? 0;
  const ok = bytes <= WRITE_AHEAD_BYTES_MAX;
  return {
    name: "write-ahead-log",
    ok,
    detail: `${bytes} bytes`,
    remedy: ok ? null : "Some process keeps the journal open and reads on; end it.",
  };
}

const sound = (name: string, detail: string): Check => ({ name, ok: true, detail, remedy: null });

function failed(name: string, error: unknown): Check {
  if (!(error instanceof HoldfastError)) throw error;
  return { name, ok: false, detail: error.message, remedy: error.remedy };
}

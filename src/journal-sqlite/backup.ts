import path from "node:path";
import type Database from "better-sqlite3";
import { HoldfastError } from "../errors.ts";
import {
  draftOf,
  newFileFailure,
  putInPlace,
  type Replacing,
  removeDraft,
} from "../state-folder/index.ts";
import { copyDatabase } from "./copy.ts";
import type { Backup } from "./view-schemas.ts";

/**
 * Copies an open journal into one file, which gets its name only once it is whole and was looked at:
 * cut off anywhere before, there is none, or the older one still.
 *
 * @throws HoldfastError `input/exists`, `input/not-writable`, `journal/corrupt`
 */
export function backUp(
  driver: typeof Database,
  database: Database.Database,
  target: string,
  replacing: Replacing,
): Backup {
  const file = path.resolve(target);
  const draft = draftOf(file, replacing);
  try {
    copyDatabase(database, draft);
    const copied = contentOf(driver, draft);
    putInPlace(draft, file, replacing);
    return { path: file, ...copied };
  } catch (cause) {
    throw newFileFailure(file, cause);
  } finally {
    removeDraft(draft);
  }
}

/** Opened anew, as whoever needs the copy would. */
function contentOf(driver: typeof Database, file: string): Pick<Backup, "events" | "head"> {
  const copy = new driver(file, { readonly: true, fileMustExist: true });
  try {
    const sound = copy.pragma("quick_check(1)", { simple: true });
    const [events, seq, hash, last] = copy
      .prepare(
        "SELECT (SELECT count(*) FROM events), seq, lower(hex(hash)), " +
          "(SELECT lower(hex(hash)) FROM events WHERE seq = head.seq) FROM head",
      )
      .raw()
      .get() as [number, number, string, string | null];
    if (sound !== "ok" || last !== hash) throw unlike(String(sound));
    return { events, head: { seq, hash } };
  } finally {
    copy.close();
  }
}

function unlike(found: string): HoldfastError {
  return new HoldfastError(
    "journal/corrupt",
    `The copy does not end as its own head says (${found}), so the journal is damaged; no backup was made.`,
    "See what is damaged with `holdfast journal verify`.",
  );
}

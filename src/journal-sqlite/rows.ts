import { type EventRow, FORMAT_VERSION, GENESIS_HASH, JOURNAL_STREAM } from "../journal/index.ts";

/** The tables of store version 1. Hashes and ids are blobs: half the bytes of their hex text. */
const TABLES_V1 = `
  CREATE TABLE meta (name TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE head (one INTEGER PRIMARY KEY CHECK (one = 1), seq INTEGER NOT NULL, hash BLOB NOT NULL) STRICT;
  CREATE TABLE sessions (id INTEGER PRIMARY KEY, hash BLOB NOT NULL UNIQUE) STRICT;
  CREATE TABLE events (
    seq INTEGER PRIMARY KEY,
    id BLOB NOT NULL,
    run BLOB,
    run_seq INTEGER NOT NULL,
    type TEXT NOT NULL,
    at INTEGER NOT NULL,
    session INTEGER REFERENCES sessions (id),
    cause BLOB,
    key BLOB,
    body_digest BLOB NOT NULL,
    hash BLOB NOT NULL,
    body TEXT
  ) STRICT;
  CREATE TABLE snapshot (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    seq INTEGER NOT NULL,
    hash BLOB NOT NULL,
    fold_version INTEGER NOT NULL,
    digest BLOB NOT NULL,
    text TEXT NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX events_by_key ON events (key) WHERE key IS NOT NULL;
`;

/**
 * From version 1 to 2: what compaction and shedding have to remember. `start_*` is the event that the
 * first stored one follows, `purge` says that bytes of what was taken out may still be in the file.
 */
const TO_V2 = `
  ALTER TABLE head ADD COLUMN start_seq INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE head ADD COLUMN start_hash BLOB NOT NULL DEFAULT x'${GENESIS_HASH}';
  ALTER TABLE head ADD COLUMN rewritten INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE head ADD COLUMN purge INTEGER NOT NULL DEFAULT 0;
  CREATE TABLE replacements (seq INTEGER PRIMARY KEY, body TEXT NOT NULL) STRICT;
`;

/** What makes the tables of each version from those of the one before, version 1 first. */
export const STEPS: readonly string[] = [TABLES_V1, TO_V2];

/** The tables as they are today. */
export const TABLES: string = STEPS.join("");

/** The columns that `rowOf` expects, in its order. Hex text is several times faster to read than a blob. */
export const COLUMNS =
  "seq, run_seq, type, at, session, lower(hex(id)), lower(hex(run)), lower(hex(cause)), " +
  "lower(hex(key)), lower(hex(body_digest)), lower(hex(hash)), body";

export type Columns = readonly [
  seq: number,
  runSeq: number,
  type: string,
  at: number,
  session: number | null,
  id: string,
  run: string,
  cause: string,
  key: string,
  bodyDigest: string,
  hash: string,
  body: string | null,
];

/** Takes the values that `valuesOf` gives. */
export const INSERT = `INSERT INTO events VALUES (${Array(12).fill("?").join(", ")})`;

const bytesOrNull = (hex: string | null) => (hex === null ? null : Buffer.from(hex, "hex"));

/** Of 32 hex digits. In a damaged file there may be others; then the text does not fit the hash. */
const uuidOf = (hex: string) =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;

const bytesOfUuid = (uuid: string) => Buffer.from(uuid.replaceAll("-", ""), "hex");

const DAY_MS = 86_400_000;

/** The day of the time that was written out last: of events in a row nearly all share it. */
let day = { startMs: Number.NaN, text: "" };

/**
 * RFC 3339 in UTC with milliseconds; three times as fast as `toISOString`, which took a tenth of a
 * whole reading. A time that no writer stores is shown as the number it is, and does not fit the hash.
 */
function timeOf(atMs: number): string {
  const startMs = Math.floor(atMs / DAY_MS) * DAY_MS;
  if (startMs !== day.startMs) {
    const time = new Date(atMs);
    if (Number.isNaN(time.getTime())) return String(atMs);
    day = { startMs, text: time.toISOString().slice(0, -"00:00:00.000Z".length) };
  }
  const ms = atMs - startMs;
  const seconds = Math.floor(ms / 1_000);
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  return `${day.text}${PADDED[hours]}:${PADDED[minutes % 60]}:${PADDED[seconds % 60]}.${String(ms % 1_000).padStart(3, "0")}Z`;
}

const PADDED = Array.from({ length: 60 }, (_, n) => String(n).padStart(2, "0"));

/** `prev` is not stored a second time: it is the hash of the row before. */
export function rowOf(columns: Columns, prev: string, session: string | null): EventRow {
  const [seq, runSeq, type, at, , id, run, cause, key, bodyDigest, hash, body] = columns;
  return {
    header: {
      v: FORMAT_VERSION,
      seq,
      id: uuidOf(id),
      run: run === "" ? JOURNAL_STREAM : uuidOf(run),
      runSeq,
      type,
      at: timeOf(at),
      session,
      cause: cause === "" ? null : uuidOf(cause),
      key: key === "" ? null : key,
      bodyDigest,
      prev,
    },
    hash,
    // In a damaged file it can be bytes.
    bodyText: body === null ? null : String(body),
  };
}

/** The values of one insert, in the order of the columns of `events`. */
export function valuesOf(row: EventRow, session: number | null): readonly unknown[] {
  const { header } = row;
  return [
    header.seq,
    bytesOfUuid(header.id),
    header.run === JOURNAL_STREAM ? null : bytesOfUuid(header.run),
    header.runSeq,
    header.type,
    Date.parse(header.at),
    session,
    header.cause === null ? null : bytesOfUuid(header.cause),
    bytesOrNull(header.key),
    Buffer.from(header.bodyDigest, "hex"),
    Buffer.from(row.hash, "hex"),
    row.bodyText,
  ];
}

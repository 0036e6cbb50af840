import { type EventRow, FORMAT_VERSION, JOURNAL_STREAM } from "../journal/index.ts";

/** The tables of store version 1. Hashes and ids are blobs: half the bytes of their hex text. */
export const TABLES = `
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

/** The columns that `rowOf` expects, in its order. */
export const COLUMNS =
  "e.seq, e.id, e.run, e.run_seq, e.type, e.at, s.hash, e.cause, e.key, e.body_digest, e.hash, e.body";

export type Columns = readonly [
  seq: number,
  id: Buffer,
  run: Buffer | null,
  runSeq: number,
  type: string,
  at: number,
  session: Buffer | null,
  cause: Buffer | null,
  key: Buffer | null,
  bodyDigest: Buffer,
  hash: Buffer,
  body: string | null,
];

/** Takes the values that `valuesOf` gives. */
export const INSERT = `INSERT INTO events VALUES (${Array(12).fill("?").join(", ")})`;

/** In a damaged file any column can hold any kind of value; as text it does not fit the hash. */
const hexOf = (blob: Buffer) => (Buffer.isBuffer(blob) ? blob.toString("hex") : String(blob));
const hexOrNull = (blob: Buffer | null) => (blob === null ? null : hexOf(blob));
const blobOrNull = (hex: string | null) => (hex === null ? null : Buffer.from(hex, "hex"));

function uuidOf(blob: Buffer): string {
  const hex = hexOf(blob);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

const blobOfUuid = (uuid: string) => Buffer.from(uuid.replaceAll("-", ""), "hex");

/** A time that no writer stores is shown as the number it is, and does not fit the hash. */
function timeOf(at: number): string {
  const time = new Date(at);
  return Number.isNaN(time.getTime()) ? String(at) : time.toISOString();
}

/** `prev` is not stored a second time: it is the hash of the row before. */
export function rowOf(columns: Columns, prev: string): EventRow {
  const [seq, id, run, runSeq, type, at, session, cause, key, bodyDigest, hash, body] = columns;
  return {
    header: {
      v: FORMAT_VERSION,
      seq,
      id: uuidOf(id),
      run: run === null ? JOURNAL_STREAM : uuidOf(run),
      runSeq,
      type,
      at: timeOf(at),
      session: hexOrNull(session),
      cause: cause === null ? null : uuidOf(cause),
      key: hexOrNull(key),
      bodyDigest: hexOf(bodyDigest),
      prev,
    },
    hash: hexOf(hash),
    bodyText: body === null ? null : String(body),
  };
}

/** The values of one insert, in the order of the columns of `events`. */
export function valuesOf(row: EventRow, session: number | null): readonly unknown[] {
  const { header } = row;
  return [
    header.seq,
    blobOfUuid(header.id),
    header.run === JOURNAL_STREAM ? null : blobOfUuid(header.run),
    header.runSeq,
    header.type,
    Date.parse(header.at),
    session,
    header.cause === null ? null : blobOfUuid(header.cause),
    blobOrNull(header.key),
    Buffer.from(header.bodyDigest, "hex"),
    Buffer.from(row.hash, "hex"),
    row.bodyText,
  ];
}

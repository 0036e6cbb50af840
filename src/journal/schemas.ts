import Type from "typebox";
import { closed, Hash, orNull, Seq, type Static, Uuid } from "../schemas.ts";
import type { JsonObject } from "./canonical.ts";

/**
 * What is hashed of an event, format version 1. Holds no text of a user: the body stands in it only
 * as a digest, so a body can be removed later while the chain still verifies.
 */
export const HeaderSchema = Type.Object(
  {
    v: Type.Literal(1),
    /** Position in the journal: 1, 2, 3 … without gaps. */
    seq: Seq,
    /** UUIDv7. */
    id: Uuid,
    /** The run it belongs to (UUIDv7), or "-". */
    run: Type.Union([Uuid, Type.Literal("-")]),
    /** Position in that run: 1, 2, 3 … */
    runSeq: Seq,
    /** Past tense, for instance "task.started". */
    type: Type.String({ pattern: "^[a-z0-9][a-z0-9_.:-]{0,159}$" }),
    /** RFC 3339, UTC, milliseconds. Shown, never used for order. */
    at: Type.String({ pattern: "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$" }),
    /** SHA-256 of the session id, or null. */
    session: orNull(Hash),
    /** Id of the event that led to this one, or null. */
    cause: orNull(Uuid),
    /** SHA-256 of the idempotency key, or null. */
    key: orNull(Hash),
    /** SHA-256 of the body's canonical text. */
    bodyDigest: Hash,
    /** Hash of the event before. */
    prev: Hash,
  },
  closed,
);
export type Header = Static<typeof HeaderSchema>;

/** Any JSON object. */
const JsonBody = Type.Unsafe<JsonObject>(Type.Object({}));

/**
 * One event as a line of an export, and of `holdfast log --json`. `schemas/events` has the body of
 * each type as this version writes it; an older journal may hold older shapes.
 */
export const ExportLineSchema = Type.Object(
  {
    header: HeaderSchema,
    /** SHA-256 of the header; the next event carries it as `prev`. */
    hash: Hash,
    /** Null once it was shed. */
    body: orNull(JsonBody),
  },
  closed,
);
export type ExportLine = Static<typeof ExportLineSchema>;

/** The first event of a journal. */
export const JournalOpenedSchema = Type.Object(
  {
    /** The journal's random id. */
    journal: Uuid,
    /** The format version of the journal. */
    format: Type.Literal(1),
  },
  closed,
);
export type JournalOpened = Static<typeof JournalOpenedSchema>;

/** Bodies were taken out of the journal: which, and what stands for each from now on. */
export const JournalShedSchema = Type.Object(
  {
    items: Type.Array(
      Type.Object(
        {
          seq: Seq,
          bodyDigest: Hash,
          /** What stands for it from now on; null where nothing can. */
          replacement: orNull(JsonBody),
        },
        closed,
      ),
    ),
    reason: Type.String(),
  },
  closed,
);
export type JournalShed = Static<typeof JournalShedSchema>;

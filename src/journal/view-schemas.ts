import Type from "typebox";
import { Count, closed, Hash, oneOf, type Static } from "../schemas.ts";
import { PROBLEMS_MAX } from "./limits.ts";

/** The end of a chain, or a point within it. Nothing stands at 0, where an empty chain ends. */
export const HeadSchema = Type.Object({ seq: Count, hash: Hash }, closed);
export type Head = Static<typeof HeadSchema>;

/** A body that was taken out: by which event, when and why. */
export const ShedBodySchema = Type.Object(
  { seq: Count, by: Count, at: Type.String(), reason: Type.String() },
  closed,
);
export type ShedBody = Static<typeof ShedBodySchema>;

/**
 * What can be wrong with an event.
 *
 * - `content`: the body is not the one that was hashed, or is absent without a reason
 * - `link`: the header, or its link to the event before, is not the one that was hashed
 * - `gap`: an event is missing before this one
 * - `missing-tail`: the journal once went on further than it does now
 * - `foreign`: this is another journal than the one the given head was noted in
 * - `removed`: compaction took out the event that the given head names, so it can't be compared
 * - `store`: the store contradicts itself beside its rows, as in an index; `seq` is 0
 * - `newer`: a newer version wrote this event in another format
 */
export const ProblemCodeSchema = oneOf(
  "content",
  "link",
  "gap",
  "missing-tail",
  "foreign",
  "removed",
  "store",
  "newer",
);
export type ProblemCode = Static<typeof ProblemCodeSchema>;

/** What is wrong with a chain at an event. */
export const ProblemSchema = Type.Object(
  { seq: Type.Number(), code: ProblemCodeSchema, message: Type.String() },
  closed,
);
export type Problem = Static<typeof ProblemSchema>;

/** What came of hashing a journal, or a part of it, again. */
export const VerificationSchema = Type.Object(
  {
    ok: Type.Boolean(),
    /** Events that were verified. */
    events: Count,
    /** The last of them as it is stored, be it damaged. */
    head: Type.Object({ seq: Type.Number(), hash: Type.String() }, closed),
    /** The first `PROBLEMS_MAX` problems, in order. */
    problems: Type.Array(ProblemSchema, { maxItems: PROBLEMS_MAX }),
    /** How many there are in all. */
    problemCount: Count,
    /** The first `PROBLEMS_MAX` bodies that were taken out and are accounted for; no problem. */
    shed: Type.Array(ShedBodySchema, { maxItems: PROBLEMS_MAX }),
    /** How many there are in all. */
    shedCount: Count,
    /** Events before the first one that compaction took out; 0 where only a part is verified. */
    removed: Count,
  },
  closed,
);
export type Verification = Static<typeof VerificationSchema>;

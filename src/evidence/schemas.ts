import Type from "typebox";
import { ByPerson, Reason } from "../contract/schemas.ts";
import { ProofKind } from "../criteria/schemas.ts";
import {
  Count,
  CriterionId,
  closed,
  Hash,
  oneOf,
  orNull,
  PathDifference,
  Seq,
  type Static,
  Text,
  Uuid,
} from "../schemas.ts";
import {
  CALL_ID_MAX,
  CLIP_MARK_MAX,
  COMMAND_MAX,
  LISTED_PATHS_MAX,
  MISSING_MAX,
  OUTPUT_HEAD_MAX,
  OUTPUT_TAIL_MAX,
  REMEMBERED_FAILURES_MAX,
  REMEMBERED_PLACES_MAX,
  SIGNAL_MAX,
  TOOL_NAME_MAX,
  VERDICT_REASON_MAX,
} from "./limits.ts";
import { EFFECTS, JUDGEMENTS, SETTLED_BY, SETTLEMENTS, VERDICTS } from "./terms.ts";

/** A shortened text is longer than its parts by the mark between them. */
const Command = Text(COMMAND_MAX + CLIP_MARK_MAX);

/** A host's id of a call, and the name of its tool. */
export const CallId = Text(CALL_ID_MAX, 1);
export const ToolName = Text(TOOL_NAME_MAX, 1);
export const Effect = oneOf(...EFFECTS);

/** Where something happened: a working tree of the repository, and a folder in it. Never an absolute path. */
const where = { place: Type.String(), folder: Type.String() };

/** The keyed hash of an exact command; null when it carries a secret, so that it never matches. */
const commandIdentity = {
  command: Command,
  commandHash: orNull(Hash),
  /** Which key made the hash; hashes of another journal's key never match. */
  keyId: Hash,
};

/** A call is about to run. Without an end that follows it, what it did is uncertain. */
export const ToolRequestedSchema = Type.Object(
  {
    call: CallId,
    tool: ToolName,
    effect: Effect,
    ...where,
    ...commandIdentity,
    tree: orNull(Hash),
    /** The open run whose exact verify command this is, or null. */
    verifierOf: orNull(Uuid),
    redactor: Count,
  },
  closed,
);
export type ToolRequested = Static<typeof ToolRequestedSchema>;

/** Whether a command's end shows success, failure or nothing. */
export const VerdictSchema = oneOf(...VERDICTS);
export type Verdict = Static<typeof VerdictSchema>;

/** How a command ended, as the one who ran it saw it. */
export const CommandEndSchema = Type.Object(
  {
    exitCode: orNull(Type.Integer({ minimum: 0, maximum: 255 })),
    signal: orNull(Text(SIGNAL_MAX)),
    timedOut: Type.Boolean(),
    aborted: Type.Boolean(),
  },
  closed,
);
export type CommandEnd = Static<typeof CommandEndSchema>;

export const CommandOutputSchema = Type.Object(
  {
    /** SHA-256 of all bytes, and how many there were. */
    digest: Hash,
    bytes: Count,
    /** The beginning and the end after redaction; `tail` is empty when `head` holds everything. */
    head: Text(OUTPUT_HEAD_MAX),
    tail: Text(OUTPUT_TAIL_MAX),
  },
  closed,
);
export type CommandOutput = Static<typeof CommandOutputSchema>;

const observation = {
  call: CallId,
  tool: ToolName,
  ...where,
  ...commandIdentity,
  ...CommandEndSchema.properties,
  verdict: VerdictSchema,
  reason: orNull(Text(VERDICT_REASON_MAX)),
  durationMs: orNull(Count),
  treeBefore: orNull(Hash),
  treeAfter: orNull(Hash),
  commit: orNull(Type.String()),
  verifierOf: orNull(Uuid),
  /** What differed from the run's baseline, for a verifier; null when it was too much to record. */
  changes: orNull(
    Type.Object({ base: orNull(Type.String()), entries: Type.Array(PathDifference) }, closed),
  ),
  redactor: Count,
};

/** What the end of a command proves: all that was seen of it but the output. */
export const ObservationSchema = Type.Object(observation, closed);
export type Observation = Static<typeof ObservationSchema>;

/** A command was seen to end. */
export const CommandObservedSchema = Type.Object(
  { ...observation, output: CommandOutputSchema },
  closed,
);
export type CommandObserved = Static<typeof CommandObservedSchema>;

/** What a piece of evidence points to. */
export const ReferenceSchema = Type.Union([
  /** One observation, for good. */
  Type.Object({ type: Type.Literal("observation"), seq: Seq }, closed),
  /** Whatever observation of this command is the latest. */
  Type.Object({ type: Type.Literal("command"), command: Command, commandHash: Hash }, closed),
  /** A file as it was. */
  Type.Object({ type: Type.Literal("path"), path: Type.String(), digest: Type.String() }, closed),
]);
export type Reference = Static<typeof ReferenceSchema>;

/** Someone named what shows that a criterion holds; whether it does is judged at each evaluation. */
export const EvidenceBoundSchema = Type.Object(
  {
    criterion: CriterionId,
    kind: ProofKind,
    reference: ReferenceSchema,
    /** The observation itself, for a reference to one: it may leave the recent ones. */
    observation: orNull(ObservationSchema),
  },
  closed,
);
export type EvidenceBound = Static<typeof EvidenceBoundSchema>;

export const Settlement = oneOf(...SETTLEMENTS);
export const SettledBy = oneOf(...SETTLED_BY);

export const JudgedAs = oneOf(...JUDGEMENTS);

/** A person said what is to hold of a criterion. */
export const CriterionJudgedSchema = Type.Object(
  {
    criterion: CriterionId,
    as: JudgedAs,
    reason: Reason,
    by: ByPerson,
    /** The tree that was judged. */
    place: Type.String(),
    tree: orNull(Hash),
  },
  closed,
);
export type CriterionJudged = Static<typeof CriterionJudgedSchema>;

/** A person or an agent said what an uncertain call did. */
export const CallSettledSchema = Type.Object(
  {
    requestedSeq: Seq,
    as: Settlement,
    reason: Reason,
    by: SettledBy,
  },
  closed,
);
export type CallSettled = Static<typeof CallSettledSchema>;

export const GateItemSchema = Type.Object(
  {
    code: Type.String(),
    message: Type.String(),
    /** What can be done about it, in a sentence that ends with the command where there is one. */
    remedy: Type.String(),
    /** The command alone, as it can be run; `…` stands for what only the caller knows. */
    command: orNull(Type.String()),
    /** `observed`: something speaks against being done; else who can supply what is missing. */
    by: oneOf("observed", "agent", "person"),
  },
  closed,
);
export type GateItem = Static<typeof GateItemSchema>;

export const GateDecisionSchema = oneOf("pass", "fail", "pending", "needs-person");
export type GateDecision = Static<typeof GateDecisionSchema>;

/** The final gate was evaluated and its answer recorded. */
export const GateEvaluatedSchema = Type.Object(
  {
    decision: GateDecisionSchema,
    missing: Type.Array(GateItemSchema, { maxItems: MISSING_MAX }),
    warnings: Type.Array(Type.String(), { maxItems: MISSING_MAX }),
    place: Type.String(),
    tree: orNull(Hash),
    commit: orNull(Type.String()),
    /** For each verify command the observation that proves it, or null. */
    proof: Type.Array(Type.Object({ command: Command, seq: orNull(Seq) }, closed)),
    changed: Type.Object(
      { paths: Type.Array(Type.String(), { maxItems: LISTED_PATHS_MAX }), count: Count },
      closed,
    ),
  },
  closed,
);
export type GateEvaluated = Static<typeof GateEvaluatedSchema>;

/** What later decisions need of observations that compaction takes out. Names places, and no command. */
export const RememberedSchema = Type.Object(
  {
    /** How each working tree was last seen. */
    trees: Type.Array(
      Type.Object({ place: Type.String(), digest: orNull(Hash), movedSeq: Seq }, closed),
      { maxItems: REMEMBERED_PLACES_MAX },
    ),
    /** How often commands failed on the tree that they were last seen on, so that a pass there is flaky. */
    failures: Type.Array(
      Type.Object(
        {
          commandHash: Hash,
          ...where,
          seq: Seq,
          verdict: VerdictSchema,
          treeAfter: orNull(Hash),
          failures: Count,
        },
        closed,
      ),
      { maxItems: REMEMBERED_FAILURES_MAX },
    ),
  },
  closed,
);
export type Remembered = Static<typeof RememberedSchema>;

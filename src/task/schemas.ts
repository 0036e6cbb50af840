import Type, { type Static } from "typebox";
import { Count, closed, Hash, oneOf, orNull, Seq, Uuid } from "../schemas.ts";

const Reason = Type.String({ minLength: 1, maxLength: 2_000, pattern: "\\S" });
const Call = Type.String({ minLength: 1, maxLength: 200 });
const Tool = Type.String({ minLength: 1, maxLength: 200 });
const CommandText = Type.String({ minLength: 1, maxLength: 262_144 });
/**
 * The current folder of a call, relative to the project folder and within it. The project folder
 * itself where none is given.
 */
const cwd = Type.Optional(
  Type.String({ maxLength: 4_096, pattern: "^(?!/)(?!(?:.*/)?\\.{1,2}(?:/|$))[^\\0]*$" }),
);
/** The open run that the session owns is meant where none is named. */
const run = Type.Optional(Uuid);
/** The run's version that the caller decided on; a later one is a conflict. */
const expectedVersion = Type.Optional(Seq);

/** Begins a task run. The draft is checked against its own schema. */
export const StartTaskSchema = Type.Object(
  {
    type: Type.Literal("startTask"),
    draft: Type.Unknown(),
    intakeMode: oneOf("model", "runtime", "person"),
  },
  closed,
);

/** A call is about to run. */
export const RequestToolSchema = Type.Object(
  {
    type: Type.Literal("requestTool"),
    call: Call,
    tool: Tool,
    effect: oneOf("read", "write", "shell", "unknown"),
    command: CommandText,
    cwd,
  },
  closed,
);

/** A command was seen to end. */
export const ObserveCommandSchema = Type.Object(
  {
    type: Type.Literal("observeCommand"),
    call: Call,
    tool: Tool,
    command: CommandText,
    cwd,
    /** The tree when the command began; null when nobody looked. */
    treeBefore: orNull(Hash),
    end: Type.Object(
      {
        exitCode: orNull(Type.Integer({ minimum: 0, maximum: 255 })),
        signal: orNull(Type.String({ maxLength: 20 })),
        timedOut: Type.Boolean(),
        aborted: Type.Boolean(),
      },
      closed,
    ),
    output: Type.Object(
      {
        digest: Hash,
        bytes: Count,
        /** The beginning and the end as they were; what is kept of them is cut after redaction. */
        head: Type.String(),
        tail: Type.String(),
      },
      closed,
    ),
    durationMs: orNull(Count),
  },
  closed,
);

/** Names what shows that a criterion holds: `seq:N`, `command:TEXT`, `path:P` or a bare path. */
export const BindEvidenceSchema = Type.Object(
  {
    type: Type.Literal("bindEvidence"),
    run,
    expectedVersion,
    criterion: Type.String({ minLength: 1, maxLength: 40 }),
    kind: oneOf("behavioral-check", "exact-verifier", "read-evidence", "scoped-diff"),
    reference: Type.String({ minLength: 1, maxLength: 8_192 }),
  },
  closed,
);

export const RecordGateSchema = Type.Object(
  { type: Type.Literal("recordGate"), run, expectedVersion },
  closed,
);

export const ConcludeTaskSchema = Type.Object(
  {
    type: Type.Literal("concludeTask"),
    run,
    expectedVersion,
    outcome: oneOf("completed", "blocked", "partial", "failed"),
    reason: Type.Optional(Reason),
    failedAt: Type.Optional(oneOf("research", "plan", "execute", "verify", "review")),
  },
  closed,
);

export const TakeOverTaskSchema = Type.Object(
  { type: Type.Literal("takeOverTask"), run, expectedVersion, reason: Reason },
  closed,
);

/** Says what a call did whose end nobody saw. */
export const SettleCallSchema = Type.Object(
  {
    type: Type.Literal("settleCall"),
    seq: Seq,
    as: oneOf("happened", "not-happened", "run-again"),
    reason: Reason,
    by: oneOf("terminal", "program"),
  },
  closed,
);

/** Events of someone else's own types, kept and proved beside the engine's; never folded. */
export const AppendExtensionSchema = Type.Object(
  {
    type: Type.Literal("appendExtension"),
    events: Type.Array(
      Type.Object(
        {
          type: Type.String({ pattern: "^x\\.[a-z0-9_.:-]{1,158}$" }),
          body: Type.Record(Type.String(), Type.Unknown()),
        },
        closed,
      ),
      { minItems: 1, maxItems: 1_000 },
    ),
  },
  closed,
);

/** A wish. It may be refused; plain JSON, so that it can be sent, stored and compared. */
export const CommandSchema = Type.Union([
  StartTaskSchema,
  RequestToolSchema,
  ObserveCommandSchema,
  BindEvidenceSchema,
  RecordGateSchema,
  ConcludeTaskSchema,
  TakeOverTaskSchema,
  SettleCallSchema,
  AppendExtensionSchema,
]);
export type Command = Static<typeof CommandSchema>;
export type StartTask = Static<typeof StartTaskSchema>;
export type RequestTool = Static<typeof RequestToolSchema>;
export type ObserveCommand = Static<typeof ObserveCommandSchema>;
export type BindEvidence = Static<typeof BindEvidenceSchema>;
export type RecordGate = Static<typeof RecordGateSchema>;
export type ConcludeTask = Static<typeof ConcludeTaskSchema>;
export type TakeOverTask = Static<typeof TakeOverTaskSchema>;
export type SettleCall = Static<typeof SettleCallSchema>;
export type AppendExtension = Static<typeof AppendExtensionSchema>;

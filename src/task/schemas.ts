import Type from "typebox";
import {
  AmendmentId,
  Attempt,
  ByPerson,
  DraftPlan,
  FailedAt,
  GivenReason,
  InstructedBy,
  IntakeMode,
  MigrationSchema,
  Outcome,
  Paths,
  ProposedCriteria,
  StepId,
  StepNote,
  StepTarget,
  TaskId,
} from "../contract/schemas.ts";
import { ProofKind } from "../criteria/schemas.ts";
import {
  CallId,
  CommandEndSchema,
  Effect,
  JudgedAs,
  RememberedSchema,
  SettledBy,
  Settlement,
  ToolName,
} from "../evidence/schemas.ts";
import { Count, closed, Hash, orNull, Seq, type Static, Text, Uuid } from "../schemas.ts";
import {
  COMMAND_TEXT_MAX,
  CRITERION_NAME_MAX,
  EXTENSION_EVENTS_MAX,
  EXTENSION_NAME_MAX,
  FOLDER_MAX,
  INSTRUCTION_MAX,
  OUTPUT_END_MAX,
  REFERENCE_MAX,
  REMOVED_RUNS_MAX,
  REMOVED_TASKS_MAX,
} from "./limits.ts";

const CommandText = Text(COMMAND_TEXT_MAX, 1);
/**
 * The current folder of a call, relative to the project folder and within it. The project folder
 * itself where none is given.
 */
const cwd = Type.Optional(
  Type.String({ maxLength: FOLDER_MAX, pattern: "^(?!/)(?!(?:.*/)?\\.{1,2}(?:/|$))[^\\0]*$" }),
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
    intakeMode: IntakeMode,
  },
  closed,
);

/**
 * Makes a run of a contract of version 1 whose exact bytes stand in the archive. The contract is
 * checked against its own schema.
 */
export const ImportContractSchema = Type.Object(
  {
    type: Type.Literal("importContract"),
    contract: Type.Unknown(),
    archive: MigrationSchema.properties.archive,
  },
  closed,
);

/** A call is about to run. */
export const RequestToolSchema = Type.Object(
  {
    type: Type.Literal("requestTool"),
    call: CallId,
    tool: ToolName,
    effect: Effect,
    /** Whether the caller knows that it changes the project; taken from the effect where nothing is said. */
    writes: Type.Optional(Type.Boolean()),
    command: CommandText,
    cwd,
  },
  closed,
);

/** A command was seen to end. */
export const ObserveCommandSchema = Type.Object(
  {
    type: Type.Literal("observeCommand"),
    call: CallId,
    tool: ToolName,
    command: CommandText,
    cwd,
    /** The tree when the command began; null when nobody looked. */
    treeBefore: orNull(Hash),
    end: CommandEndSchema,
    output: Type.Object(
      {
        digest: Hash,
        bytes: Count,
        /** The beginning and the end as they were; what is kept of them is cut after redaction. */
        head: Text(OUTPUT_END_MAX),
        tail: Text(OUTPUT_END_MAX),
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
    criterion: Text(CRITERION_NAME_MAX, 1),
    kind: ProofKind,
    reference: Text(REFERENCE_MAX, 1),
  },
  closed,
);

/** Passes on what a person said of a criterion. */
export const JudgeCriterionSchema = Type.Object(
  {
    type: Type.Literal("judgeCriterion"),
    run,
    expectedVersion,
    criterion: Text(CRITERION_NAME_MAX, 1),
    as: JudgedAs,
    reason: GivenReason,
    by: ByPerson,
    /** The working tree that was shown to the person; another one is refused. */
    tree: Type.Optional(orNull(Hash)),
  },
  closed,
);

/** Asks for other criteria, or for another scope. Nothing changes until a person accepts it. */
export const ProposeCriteriaSchema = Type.Object(
  {
    type: Type.Literal("proposeCriteria"),
    run,
    acceptanceCriteria: ProposedCriteria,
    scope: Type.Optional(Paths),
    reason: GivenReason,
  },
  closed,
);

/** Passes on that a person accepted what was proposed. */
export const AcceptCriteriaSchema = Type.Object(
  {
    type: Type.Literal("acceptCriteria"),
    run,
    expectedVersion,
    amendment: AmendmentId,
    reason: GivenReason,
    by: ByPerson,
    /** The event of the proposal that was shown to the person; another one is refused. */
    proposed: Type.Optional(Seq),
  },
  closed,
);

/** Binds the run to fewer paths, before anything is changed or verified. What is left out stays. */
export const NarrowScopeSchema = Type.Object(
  {
    type: Type.Literal("narrowScope"),
    run,
    expectedVersion,
    /** Each within an entry of the scope as it is. */
    scope: Type.Optional(Paths),
    /** These come on top of those there are. */
    outOfScope: Type.Optional(Paths),
    protectedPaths: Type.Optional(Paths),
    reason: GivenReason,
  },
  closed,
);

/** The user said more of what is wanted. Without a run, it stands in the session's own open one, else in none. */
export const GiveInstructionSchema = Type.Object(
  {
    type: Type.Literal("giveInstruction"),
    run,
    text: Type.String({ minLength: 1, maxLength: INSTRUCTION_MAX, pattern: "\\S" }),
    by: InstructedBy,
  },
  closed,
);

/** Puts another work plan in the place of the one there is. */
export const RecordPlanSchema = Type.Object(
  { type: Type.Literal("recordPlan"), run, expectedVersion, plan: DraftPlan },
  closed,
);

/** Moves a step of the work plan. */
export const MoveStepSchema = Type.Object(
  {
    type: Type.Literal("moveStep"),
    run,
    expectedVersion,
    step: StepId,
    status: StepTarget,
    note: Type.Optional(StepNote),
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
    outcome: Outcome,
    reason: Type.Optional(GivenReason),
    failedAt: Type.Optional(FailedAt),
  },
  closed,
);

export const TakeOverTaskSchema = Type.Object(
  { type: Type.Literal("takeOverTask"), run, expectedVersion, reason: GivenReason },
  closed,
);

/** What every move of a whole run says beside its type. */
const lifecycleMove = { run, expectedVersion, reason: Type.Optional(GivenReason) };

export const PauseTaskSchema = Type.Object(
  { type: Type.Literal("pauseTask"), ...lifecycleMove },
  closed,
);

export const ContinueTaskSchema = Type.Object(
  { type: Type.Literal("continueTask"), ...lifecycleMove },
  closed,
);

export const AbandonTaskSchema = Type.Object(
  { type: Type.Literal("abandonTask"), ...lifecycleMove },
  closed,
);

/** Begins the next attempt at the task of a run that has ended, by default of the last one. */
export const RetryTaskSchema = Type.Object(
  { type: Type.Literal("retryTask"), run, expectedVersion },
  closed,
);

/** Says what a call did whose end nobody saw. */
export const SettleCallSchema = Type.Object(
  {
    type: Type.Literal("settleCall"),
    seq: Seq,
    as: Settlement,
    reason: GivenReason,
    by: SettledBy,
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
          type: Type.String({ pattern: `^x\\.[a-z0-9_.:-]{1,${EXTENSION_NAME_MAX}}$` }),
          body: Type.Record(Type.String(), Type.Unknown()),
        },
        closed,
      ),
      { minItems: 1, maxItems: EXTENSION_EVENTS_MAX },
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
  JudgeCriterionSchema,
  ProposeCriteriaSchema,
  AcceptCriteriaSchema,
  NarrowScopeSchema,
  GiveInstructionSchema,
  RecordPlanSchema,
  MoveStepSchema,
  RecordGateSchema,
  ConcludeTaskSchema,
  TakeOverTaskSchema,
  PauseTaskSchema,
  ContinueTaskSchema,
  AbandonTaskSchema,
  RetryTaskSchema,
  SettleCallSchema,
  AppendExtensionSchema,
  ImportContractSchema,
]);
export type Command = Static<typeof CommandSchema>;
export type StartTask = Static<typeof StartTaskSchema>;
export type RequestTool = Static<typeof RequestToolSchema>;
export type ObserveCommand = Static<typeof ObserveCommandSchema>;
export type BindEvidence = Static<typeof BindEvidenceSchema>;
export type JudgeCriterion = Static<typeof JudgeCriterionSchema>;
export type ProposeCriteria = Static<typeof ProposeCriteriaSchema>;
export type AcceptCriteria = Static<typeof AcceptCriteriaSchema>;
export type NarrowScope = Static<typeof NarrowScopeSchema>;
export type GiveInstruction = Static<typeof GiveInstructionSchema>;
export type RecordPlan = Static<typeof RecordPlanSchema>;
export type MoveStep = Static<typeof MoveStepSchema>;
export type RecordGate = Static<typeof RecordGateSchema>;
export type ConcludeTask = Static<typeof ConcludeTaskSchema>;
export type TakeOverTask = Static<typeof TakeOverTaskSchema>;
export type PauseTask = Static<typeof PauseTaskSchema>;
export type ContinueTask = Static<typeof ContinueTaskSchema>;
export type AbandonTask = Static<typeof AbandonTaskSchema>;
export type RetryTask = Static<typeof RetryTaskSchema>;
export type SettleCall = Static<typeof SettleCallSchema>;
export type AppendExtension = Static<typeof AppendExtensionSchema>;
export type ImportContract = Static<typeof ImportContractSchema>;

/** A task of which runs were removed: what decides on whether it may be tried again. */
export const RemovedTaskSchema = Type.Object(
  {
    taskId: TaskId,
    /** The last of the removed runs. */
    run: Uuid,
    /** `completed` if one of them was, else how the last one ended. */
    outcome: Type.Union([
      Outcome,
      Type.Literal("abandoned"),
      Type.Literal("unknown"),
      Type.Literal("historical"),
    ]),
    /** The highest number of a removed attempt, and the ceiling that the first one set. */
    attempts: Attempt,
    maxAttempts: Attempt,
    /** All removed runs in order. */
    runs: Type.Array(Uuid, { minItems: 1, maxItems: REMOVED_RUNS_MAX }),
  },
  closed,
);
export type RemovedTask = Static<typeof RemovedTaskSchema>;

const Head = Type.Object({ seq: Seq, hash: Hash }, closed);

/**
 * Everything up to an event was removed. What it said that later decisions need is repeated here, for
 * earlier removals as well.
 */
export const JournalCompactedSchema = Type.Object(
  {
    /** The id that `journal.opened` gave the journal. */
    journal: Type.String({ minLength: 1 }),
    /** Events that this compaction removed, and the last of them. */
    removed: Seq,
    through: Head,
    /** The end of the journal just before: the event's own `seq` - 1 and `prev`, else it is damaged. */
    headBefore: Head,
    tasks: Type.Array(RemovedTaskSchema, { maxItems: REMOVED_TASKS_MAX }),
    evidence: RememberedSchema,
  },
  closed,
);
export type JournalCompacted = Static<typeof JournalCompactedSchema>;

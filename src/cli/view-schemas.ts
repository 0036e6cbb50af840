/** What the commands answer with `--json`, where it is not a view of the library itself. */
import Type from "typebox";
import {
  Attempt,
  ByPerson,
  ContractSchema,
  CriteriaProposedSchema,
  InstructedBy,
  PlanStepSchema,
  StepId,
  TaskId,
} from "../contract/schemas.ts";
import { RunStatusSchema } from "../contract/view-schemas.ts";
import { ShedReportSchema, ToldFailureSchema } from "../engine/view-schemas.ts";
import { CommandEndSchema, SettledBy, Settlement, VerdictSchema } from "../evidence/schemas.ts";
import { CriterionStandingSchema } from "../evidence/view-schemas.ts";
import { ExportLineSchema } from "../journal/schemas.ts";
import { HeadSchema, ShedBodySchema } from "../journal/view-schemas.ts";
import { Count, closed, Hash, oneOf, orNull, Seq, type Static, Uuid } from "../schemas.ts";
import { CriterionViewSchema, TaskSummarySchema } from "../status/view-schemas.ts";
import { RunStateSchema } from "../task/view-schemas.ts";
import { Phase } from "../trajectory/schemas.ts";
import { TrajectoryStateSchema } from "../trajectory/view-schemas.ts";

/** A call ended without its answer. */
export const FailureAnswerSchema = Type.Object(
  {
    error: Type.Object(
      {
        ...ToldFailureSchema.properties,
        code: oneOf(...ToldFailureSchema.properties.code.enum, "internal/bug"),
      },
      closed,
    ),
  },
  closed,
);
export type FailureAnswer = Static<typeof FailureAnswerSchema>;

/** The state folder and its journal, made or found. */
export const InitializedSchema = Type.Object(
  { stateDir: Type.String(), journalId: orNull(Type.String()), created: Type.Boolean() },
  closed,
);
export type Initialized = Static<typeof InitializedSchema>;

/** All runs, in the order in which they began. */
export const TaskListSchema = Type.Array(TaskSummarySchema);
export type TaskList = Static<typeof TaskListSchema>;

/** One run, from all its projections. */
export const ShownTaskSchema = Type.Object(
  { run: Uuid, taskId: TaskId, open: Type.Boolean(), ...RunStateSchema.properties },
  closed,
);
export type ShownTask = Static<typeof ShownTaskSchema>;

/** What a command that moves a whole run did to it. */
export const MovedRunSchema = Type.Object(
  {
    run: Uuid,
    status: oneOf("open", "paused", "abandoned"),
    attempt: Attempt,
    head: HeadSchema,
  },
  closed,
);
export type MovedRun = Static<typeof MovedRunSchema>;

/** A run that this session owns from now on. */
export const TakenOverSchema = Type.Object(
  { run: Uuid, owner: Hash, epoch: Count, head: HeadSchema },
  closed,
);
export type TakenOver = Static<typeof TakenOverSchema>;

/** What a call counts as whose end nobody saw. */
export const SettledSchema = Type.Object(
  { seq: Seq, as: Settlement, by: SettledBy, head: HeadSchema },
  closed,
);
export type Settled = Static<typeof SettledSchema>;

/** The work plan after a step was moved. */
export const MovedPlanSchema = Type.Object(
  { plan: Type.Array(PlanStepSchema), current: orNull(StepId), head: HeadSchema },
  closed,
);
export type MovedPlan = Static<typeof MovedPlanSchema>;

/** How a criterion stands after evidence was bound to it. */
export const BoundEvidenceSchema = Type.Object(
  {
    criterion: Type.String(),
    status: CriterionStandingSchema.properties.status,
    head: HeadSchema,
  },
  closed,
);
export type BoundEvidence = Static<typeof BoundEvidenceSchema>;

/** How a criterion stands after a person spoke. */
export const JudgedCriterionSchema = Type.Object(
  { ...BoundEvidenceSchema.properties, by: Type.Literal("terminal") },
  closed,
);
export type JudgedCriterion = Static<typeof JudgedCriterionSchema>;

const { amendment, added, reworded, removed, scope } = CriteriaProposedSchema.properties;

/** Other criteria, or another scope, that wait for a person. */
export const ProposedAnswerSchema = Type.Object(
  { amendment, added, reworded, removed, scope, head: HeadSchema },
  closed,
);
export type ProposedAnswer = Static<typeof ProposedAnswerSchema>;

const { properties: held } = ContractSchema;

/** What a run is held to since a person accepted it. */
export const AcceptedAnswerSchema = Type.Object(
  { amendment, criteria: held.criteria, scope: held.scope, by: ByPerson, head: HeadSchema },
  closed,
);
export type AcceptedAnswer = Static<typeof AcceptedAnswerSchema>;

/** The paths that bind a run since its scope was narrowed. */
export const NarrowedAnswerSchema = Type.Object(
  {
    run: Uuid,
    scope: held.scope,
    outOfScope: held.outOfScope,
    protectedPaths: held.protectedPaths,
    head: HeadSchema,
  },
  closed,
);
export type NarrowedAnswer = Static<typeof NarrowedAnswerSchema>;

/** The run in which an instruction was recorded, and from whom it came. */
export const InstructedAnswerSchema = Type.Object(
  { run: Uuid, by: InstructedBy, head: HeadSchema },
  closed,
);
export type InstructedAnswer = Static<typeof InstructedAnswerSchema>;

/** Each criterion of a run: how it stands, what it lacks, what it waits for. */
export const ShownCriteriaSchema = Type.Object(
  {
    run: Type.String(),
    criteria: Type.Array(CriterionViewSchema),
    /** The files to look at first. */
    files: Type.Array(Type.String()),
  },
  closed,
);
export type ShownCriteria = Static<typeof ShownCriteriaSchema>;

const { phase, entered, spentMs, recent, differences } = TrajectoryStateSchema.properties;

/** The phase of a run, how it came there, and how long each phase took. */
export const ShownPhaseSchema = Type.Object(
  {
    run: Uuid,
    taskId: TaskId,
    status: RunStatusSchema,
    open: Type.Boolean(),
    phase,
    /** The phases of a task of this kind when nothing goes wrong. */
    path: Type.Array(Phase),
    entered,
    spentMs,
    transitions: recent,
    /** Transitions before those that are shown. */
    earlier: Count,
    /** What of the host's tools belongs in the phase, and whether a task is held to it. */
    tools: Type.Object(
      {
        mode: ContractSchema.properties.switches.properties.phaseTools,
        /** Null where the phase is unknown: then nothing is enforced. */
        allowed: orNull(Type.Array(Type.String())),
        /** Kinds of calls that did not belong in their phase. */
        differences,
      },
      closed,
    ),
  },
  closed,
);
export type ShownPhase = Static<typeof ShownPhaseSchema>;

/** How one verify command ended. */
export const VerifyResultSchema = Type.Object(
  {
    command: Type.String(),
    exitCode: CommandEndSchema.properties.exitCode,
    signal: orNull(Type.String()),
    verdict: VerdictSchema,
    reason: orNull(Type.String()),
    /** The digest of the working tree after the command. */
    tree: orNull(Hash),
    /** Whether it is proof for the tree as it is after all commands. */
    current: Type.Boolean(),
    /** The event that records it. */
    seq: Seq,
  },
  closed,
);
export type VerifyResult = Static<typeof VerifyResultSchema>;

/** How the verify commands ended that were run. */
export const VerifiedSchema = Type.Object({ results: Type.Array(VerifyResultSchema) }, closed);
export type Verified = Static<typeof VerifiedSchema>;

/** What `exec --report` tells of a command. */
export const ExecReportSchema = Type.Object(
  {
    command: Type.String(),
    exitCode: CommandEndSchema.properties.exitCode,
    signal: orNull(Type.String()),
    timedOut: Type.Boolean(),
    verdict: orNull(VerdictSchema),
    reason: orNull(Type.String()),
    /** The event that records its end, or null. */
    seq: orNull(Seq),
    recorded: Type.Boolean(),
    error: orNull(FailureAnswerSchema.properties.error),
  },
  closed,
);
export type ExecReport = Static<typeof ExecReportSchema>;

/** One thing that the doctor looked at. */
export const CheckSchema = Type.Object(
  {
    name: Type.String(),
    ok: Type.Boolean(),
    detail: Type.String(),
    /** What to do about it; null when nothing is to be done. */
    remedy: orNull(Type.String()),
  },
  closed,
);
export type Check = Static<typeof CheckSchema>;

/** All that the doctor looked at. */
export const ExaminationSchema = Type.Object({ checks: Type.Array(CheckSchema) }, closed);
export type Examination = Static<typeof ExaminationSchema>;

const { by, at, reason } = ShedBodySchema.properties;

/** One event as the line of an export; of a shed one also when and why, and what stands for its body. */
export const LogLineSchema = Type.Object(
  {
    ...ExportLineSchema.properties,
    shed: Type.Optional(
      Type.Object({ by, at, reason, replacement: ExportLineSchema.properties.body }, closed),
    ),
  },
  closed,
);
export type LogLine = Static<typeof LogLineSchema>;

/** Where the journal ends. */
export const JournalHeadSchema = Type.Object({ head: HeadSchema }, closed);
export type JournalHead = Static<typeof JournalHeadSchema>;

/** How much of the journal was written to a file. */
export const ExportedJournalSchema = Type.Object({ events: Count, head: HeadSchema }, closed);
export type ExportedJournal = Static<typeof ExportedJournalSchema>;

/** What a shedding took out of the journal, and what else holds the text. */
export const ShedAnswerSchema = Type.Object(
  {
    ...ShedReportSchema.properties,
    /** Files of the state folder that hold the text; none where events were named instead. */
    files: Type.Array(Type.String()),
  },
  closed,
);
export type ShedAnswer = Static<typeof ShedAnswerSchema>;

/** A command of the tour, and what it printed. */
export const TourCommandSchema = Type.Object(
  {
    command: Type.String(),
    exitCode: orNull(Type.Integer()),
    /** What it printed with `--json`, parsed. */
    answer: Type.Unknown(),
    stderr: Type.String(),
  },
  closed,
);
export type TourCommand = Static<typeof TourCommandSchema>;

/** One chapter of the tour as it happened. */
export const ChapterSchema = Type.Object(
  {
    title: Type.String(),
    /** What is told; commands begin with "$ ". */
    lines: Type.Array(Type.String()),
    commands: Type.Array(TourCommandSchema),
    /** What did not come out as told; empty when all did. */
    problems: Type.Array(Type.String()),
  },
  closed,
);
export type Chapter = Static<typeof ChapterSchema>;

/** The tour as it happened. */
export const TourSchema = Type.Object(
  {
    ok: Type.Boolean(),
    /** The temporary folder it was played in, and the repository in that. */
    folder: Type.String(),
    project: Type.String(),
    chapters: Type.Array(ChapterSchema),
    /** Commands to look around there. */
    lookAround: Type.Array(Type.String()),
  },
  closed,
);
export type Tour = Static<typeof TourSchema>;

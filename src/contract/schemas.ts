import Type from "typebox";
import {
  Count,
  CriterionId,
  closed,
  Hash,
  oneOf,
  orNull,
  PathDifference,
  Seq,
  SLUG_PATTERN,
  type Static,
  Text,
  Uuid,
} from "../schemas.ts";
import {
  ATTEMPTS_MAX,
  BASELINE_PATHS_MAX,
  CRITERIA_MAX,
  CRITERION_MAX,
  INSTRUCTION_KEPT_MAX,
  INSTRUCTION_MARK_MAX,
  LABEL_MAX,
  PLAN_STEPS_MAX,
  REASON_MAX,
  SCOPE_ENTRIES_MAX,
  SCOPE_ENTRY_MAX,
  STEP_ID_MAX,
  STEP_NOTE_MAX,
  STEP_TITLE_MAX,
  SUMMARY_MAX,
  SUMMARY_MIN,
  TASK_ID_MAX,
  V1_NAME_MAX,
  VERIFY_COMMAND_MAX,
  VERIFY_COMMANDS_MAX,
  VERIFY_TIMEOUT_MAX_MS,
} from "./limits.ts";
import {
  AUTHORITIES,
  CHANGE_MODES,
  FAILED_AT,
  INSTRUCTED_BY,
  INTAKE_MODES,
  MIGRATION_STATUSES,
  OUTCOMES,
  RISK_LANES,
  STEP_ROLES,
  STEP_STATUSES,
  STEP_TARGETS,
  V1_OUTCOMES,
  VERIFY_SHELLS,
} from "./terms.ts";

export const Paths = Type.Array(Type.String({ minLength: 1, maxLength: SCOPE_ENTRY_MAX }), {
  maxItems: SCOPE_ENTRIES_MAX,
});
/** A person's or an agent's reason. */
export const Reason = Type.String({ minLength: 1, maxLength: REASON_MAX });
/** A reason as it is handed in: more than white space. */
export const GivenReason = Type.String({ minLength: 1, maxLength: REASON_MAX, pattern: "\\S" });

/** A task's name in the journal, and the number of an attempt at it. */
export const TaskId = Type.String({ pattern: SLUG_PATTERN, maxLength: TASK_ID_MAX });
export const Attempt = Type.Integer({ minimum: 1, maximum: ATTEMPTS_MAX });

const ChangeMode = oneOf(...CHANGE_MODES);
const RiskLane = oneOf(...RISK_LANES);
export const IntakeMode = oneOf(...INTAKE_MODES);
const CriterionKind = oneOf("observed", "human");
const Priority = oneOf("critical", "normal");
const StepMode = oneOf("read-only", "single-writer", "review");
const StepRole = oneOf(...STEP_ROLES);
const StepStatus = oneOf(...STEP_STATUSES);
/** Where a step can be moved to. */
export const StepTarget = oneOf(...STEP_TARGETS);
export const StepNote = Text(STEP_NOTE_MAX, 1);
export const StepId = Type.String({ pattern: SLUG_PATTERN, maxLength: STEP_ID_MAX });
const Shell = oneOf(...VERIFY_SHELLS);
const Flaky = oneOf("mark", "refuse");

const CriterionText = Type.String({ minLength: 1, maxLength: CRITERION_MAX });

/** A work plan as it is handed in. */
export const DraftPlan = Type.Array(
  Type.Object(
    {
      id: StepId,
      title: Type.String({ minLength: 1, maxLength: STEP_TITLE_MAX }),
      mode: StepMode,
      /** Who is meant to carry it out; the agent itself where nothing is said. */
      role: Type.Optional(StepRole),
      dependsOn: Type.Optional(Type.Array(Type.String(), { maxItems: PLAN_STEPS_MAX })),
    },
    closed,
  ),
  { minItems: 1, maxItems: PLAN_STEPS_MAX },
);
export type DraftPlan = Static<typeof DraftPlan>;

/** What a draft may say of a criterion beside its text. */
const criterionChoices = {
  label: Type.Optional(Type.String({ minLength: 1, maxLength: LABEL_MAX })),
  kind: Type.Optional(CriterionKind),
  priority: Type.Optional(Priority),
};

/**
 * What someone asks for. Only `summary`, `acceptanceCriteria` and, for a source change,
 * `verifyCommands` are required.
 */
export const TaskDraftSchema = Type.Object(
  {
    summary: Type.String({ minLength: SUMMARY_MIN, maxLength: SUMMARY_MAX }),
    acceptanceCriteria: Type.Array(
      Type.Union([
        CriterionText,
        Type.Object({ text: CriterionText, ...criterionChoices }, closed),
      ]),
      { minItems: 1, maxItems: CRITERIA_MAX },
    ),
    expectedOutput: Type.Optional(
      orNull(Type.String({ minLength: SUMMARY_MIN, maxLength: SUMMARY_MAX })),
    ),
    taskId: Type.Optional(TaskId),
    changeMode: Type.Optional(ChangeMode),
    riskLane: Type.Optional(RiskLane),
    scope: Type.Optional(Paths),
    outOfScope: Type.Optional(Paths),
    protectedPaths: Type.Optional(Paths),
    verifyCommands: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: VERIFY_COMMAND_MAX }), {
        maxItems: VERIFY_COMMANDS_MAX,
      }),
    ),
    verifyTimeoutMs: Type.Optional(Type.Integer({ minimum: 1, maximum: VERIFY_TIMEOUT_MAX_MS })),
    flaky: Type.Optional(Flaky),
    shell: Type.Optional(Shell),
    plan: Type.Optional(DraftPlan),
    maxAttempts: Type.Optional(Attempt),
  },
  closed,
);
export type TaskDraft = Static<typeof TaskDraftSchema>;

/** One thing that has to hold before the task is done. */
export const CriterionSchema = Type.Object(
  {
    /** `criterion-01`, `criterion-02` … by position at the start; never given to another one. */
    id: CriterionId,
    text: CriterionText,
    label: orNull(Type.String()),
    kind: CriterionKind,
    priority: Priority,
  },
  closed,
);
export type Criterion = Static<typeof CriterionSchema>;

/** Criteria as somebody would have them: each as it is, in other words, or new. */
export const ProposedCriteria = Type.Array(
  Type.Union([
    CriterionText,
    Type.Object({ text: CriterionText, ...criterionChoices }, closed),
    Type.Object(
      { id: CriterionId, text: Type.Optional(CriterionText), ...criterionChoices },
      closed,
    ),
  ]),
  { minItems: 1, maxItems: CRITERIA_MAX },
);
export type ProposedCriteria = Static<typeof ProposedCriteria>;

const narrowing = { scope: Paths, outOfScope: Paths, protectedPaths: Paths };

/** The lists of paths that bind a run from now on, narrower than before. */
export const NarrowedScopeSchema = Type.Object({ ...narrowing, reason: Reason }, closed);
export type NarrowedScope = Static<typeof NarrowedScopeSchema>;

/** The name of a proposal within its run: `amendment-01` … */
export const AmendmentId = Type.String({ pattern: "^amendment-\\d{2,}$" });

const CriterionIds = Type.Array(CriterionId, { maxItems: CRITERIA_MAX });

const amendment = {
  amendment: AmendmentId,
  /** All criteria that the run is to be held to. */
  criteria: Type.Array(CriterionSchema, { minItems: 1, maxItems: CRITERIA_MAX }),
  /** The ids of those that are new, that say something else than before, and that are left out. */
  added: CriterionIds,
  reworded: CriterionIds,
  removed: CriterionIds,
  /** All entries of another scope; null where it stays. */
  scope: orNull(Paths),
  reason: Reason,
};

/** Somebody would have other criteria, or another scope. Nothing changes by that alone. */
export const CriteriaProposedSchema = Type.Object(amendment, closed);
export type CriteriaProposed = Static<typeof CriteriaProposedSchema>;

/** By whom something is said that only a person may say: never by a program. */
export const ByPerson = Type.Literal("terminal");

/** What a person accepted of it, in the words and with the reason of that moment. */
export const AmendmentSchema = Type.Object({ ...amendment, by: ByPerson }, closed);
export type Amendment = Static<typeof AmendmentSchema>;

export const PlanStepSchema = Type.Object(
  {
    id: StepId,
    title: Type.String({ minLength: 1, maxLength: STEP_TITLE_MAX }),
    mode: StepMode,
    /** Not recorded by the first versions. */
    role: Type.Optional(StepRole),
    status: StepStatus,
    dependsOn: Type.Array(Type.String()),
  },
  closed,
);
export type PlanStep = Static<typeof PlanStepSchema>;

const Plan = Type.Array(PlanStepSchema, { minItems: 1, maxItems: PLAN_STEPS_MAX });

/** Another work plan took the place of the one before, as it stands then. */
export const PlanRecordedSchema = Type.Object({ plan: Plan }, closed);
export type PlanRecorded = Static<typeof PlanRecordedSchema>;

/** A step of the work plan went elsewhere, and another one began where `started` names it. */
export const PlanStepMovedSchema = Type.Object(
  {
    step: StepId,
    from: StepStatus,
    to: StepTarget,
    note: orNull(StepNote),
    started: orNull(StepId),
    /** Whether it follows from what was seen: an observation makes no new version of a run. */
    observed: Type.Optional(Type.Literal(true)),
  },
  closed,
);
export type PlanStepMoved = Static<typeof PlanStepMovedSchema>;

/** How the working tree looked when the task began: what "changed" is measured against. */
export const BaselineSchema = Type.Object(
  {
    tree: orNull(Hash),
    commit: orNull(Type.String()),
    /** Paths whose content differed from `commit` (or all, without one). */
    dirty: Type.Array(PathDifference, { maxItems: BASELINE_PATHS_MAX }),
    /** False when there were more differing paths than are kept. */
    complete: Type.Boolean(),
  },
  closed,
);
export type Baseline = Static<typeof BaselineSchema>;
export type Difference = Static<typeof PathDifference>;

const Authority = oneOf(...AUTHORITIES);

/** What Holdfast may do by itself for a task, over all its attempts and sessions. */
export const BudgetsSchema = Type.Object(
  {
    /** Turns of the agent that are begun without a person: repair, retry and diagnosis share them. */
    continuations: Count,
    /** Helpers that are begun without a person. */
    dispatches: Count,
    /** Rounds of review by a specialist. */
    reviewRounds: Count,
  },
  closed,
);
export type Budgets = Static<typeof BudgetsSchema>;

/** How far each capability may go in this run. Nothing that is switched later widens it. */
export const AuthorityPinsSchema = Type.Object(
  {
    contract: Authority,
    verification: Authority,
    durableState: Authority,
    criteria: Authority,
    trajectory: Authority,
    phaseTools: Authority,
    recovery: Authority,
    helpers: Authority,
  },
  closed,
);
export type AuthorityPins = Static<typeof AuthorityPinsSchema>;

/** What was agreed at the start. Nobody changes it afterwards. */
export const ContractSchema = Type.Object(
  {
    schemaVersion: Type.Literal(2),
    taskId: TaskId,
    run: Uuid,
    attempt: Attempt,
    maxAttempts: Attempt,
    changeMode: ChangeMode,
    riskLane: RiskLane,
    intakeMode: IntakeMode,
    summary: Type.String(),
    expectedOutput: orNull(Type.String()),
    criteria: Type.Array(CriterionSchema, { minItems: 1, maxItems: CRITERIA_MAX }),
    scope: Paths,
    outOfScope: Paths,
    protectedPaths: Paths,
    verifyCommands: Type.Array(Type.String(), { maxItems: VERIFY_COMMANDS_MAX }),
    verifyTimeoutMs: Type.Integer({ minimum: 1 }),
    verifyShell: Shell,
    flaky: Flaky,
    plan: Plan,
    /** Which working tree of the repository, and the project's folder in it. */
    place: Type.String(),
    folder: Type.String(),
    baseline: BaselineSchema,
    switches: Type.Object(
      {
        autoRecovery: oneOf("on", "off"),
        phaseTools: oneOf("off", "shadow", "on"),
        intelligenceEngine: oneOf("on", "off"),
      },
      closed,
    ),
    /** Both pinned at the start; not recorded by the first versions. */
    budgets: Type.Optional(BudgetsSchema),
    authority: Type.Optional(AuthorityPinsSchema),
  },
  closed,
);
export type Contract = Static<typeof ContractSchema>;
export type Switches = Contract["switches"];

const V1Outcome = oneOf(...V1_OUTCOMES);

/** What a run was made of that began as a contract of version 1. */
export const MigrationSchema = Type.Object(
  {
    schemaVersion: Type.Literal(1),
    /** The name that version 1 gave the attempt. */
    taskRunId: orNull(Text(V1_NAME_MAX)),
    /** What it says of its own end: a claim, like everything it says. */
    outcome: V1Outcome,
    status: oneOf(...MIGRATION_STATUSES),
    /** SHA-256 of the file as it was, which stands in the archive under this name, and its size. */
    archive: Type.Object({ digest: Hash, bytes: Count }, closed),
  },
  closed,
);
export type Migration = Static<typeof MigrationSchema>;

/**
 * What is read of a contract of version 1. What else it holds stands in the archive and nowhere else,
 * so unknown fields are no reason to refuse it.
 */
export const ContractV1Schema = Type.Object({
  schemaVersion: Type.Literal(1),
  taskId: TaskId,
  summary: TaskDraftSchema.properties.summary,
  acceptanceCriteria: Type.Array(Type.String({ minLength: 1, maxLength: CRITERION_MAX }), {
    minItems: 1,
    maxItems: CRITERIA_MAX,
  }),
  trace: Type.Object({ outcome: V1Outcome }),
  taskRunId: Type.Optional(Text(V1_NAME_MAX, 1)),
  sessionId: Type.Optional(Text(V1_NAME_MAX, 1)),
  attempt: Type.Optional(Attempt),
  maxAttempts: Type.Optional(Attempt),
  changeMode: Type.Optional(ChangeMode),
  riskLane: Type.Optional(RiskLane),
  intakeMode: Type.Optional(oneOf("model", "runtime")),
  expectedOutput: TaskDraftSchema.properties.expectedOutput,
  scope: Type.Optional(Paths),
  outOfScope: Type.Optional(Paths),
  protectedPaths: Type.Optional(Paths),
  verifyCommands: TaskDraftSchema.properties.verifyCommands,
  workPlan: Type.Optional(
    Type.Array(
      Type.Object({
        id: StepId,
        title: Type.String({ minLength: 1, maxLength: STEP_TITLE_MAX }),
        mode: StepMode,
        role: Type.Optional(StepRole),
        dependsOn: Type.Optional(Type.Array(Type.String(), { maxItems: PLAN_STEPS_MAX })),
      }),
      { maxItems: PLAN_STEPS_MAX },
    ),
  ),
  baselineChangedFiles: Type.Optional(Type.Array(Type.String())),
});
export type ContractV1 = Static<typeof ContractV1Schema>;

/** A run of a task began. */
export const TaskStartedSchema = Type.Object(
  {
    contract: ContractSchema,
    /** What the one who asked has to know of it, where there is something. */
    warnings: Type.Optional(Type.Array(Type.String())),
    migratedFrom: Type.Optional(MigrationSchema),
  },
  closed,
);
export type TaskStarted = Static<typeof TaskStartedSchema>;

/** Ownership moved to another session; late writes of the old owner are refused from here on. */
export const TaskTakenOverSchema = Type.Object(
  { from: Hash, to: Hash, epoch: Type.Integer({ minimum: 2 }), reason: Reason },
  closed,
);
export type TaskTakenOver = Static<typeof TaskTakenOverSchema>;

export const Outcome = oneOf(...OUTCOMES);
export const FailedAt = oneOf(...FAILED_AT);

/** The run ended. Nothing changes it from here on. */
export const TaskConcludedSchema = Type.Object(
  {
    outcome: Outcome,
    reason: orNull(Reason),
    failedAt: orNull(FailedAt),
    /** The tree on which it was concluded, and the commit that was checked out. */
    tree: orNull(Hash),
    commit: orNull(Type.String()),
    /** Paths whose content differs from the baseline, and how many there are in all. */
    changed: Type.Object({ paths: Type.Array(Type.String()), count: Type.Integer() }, closed),
  },
  closed,
);
export type TaskConcluded = Static<typeof TaskConcludedSchema>;

export const InstructedBy = oneOf(...INSTRUCTED_BY);

/** The user said more of what is wanted after the start. */
export const InstructionGivenSchema = Type.Object(
  {
    /** Word for word after redaction, or both ends of it. */
    text: Text(INSTRUCTION_KEPT_MAX + INSTRUCTION_MARK_MAX, 1),
    /** Whether `text` is all of it. */
    whole: Type.Boolean(),
    /** UTF-8 bytes and SHA-256 of all of it after redaction. */
    bytes: Count,
    digest: Hash,
    by: InstructedBy,
    /** The event that it was given by first, in an earlier attempt at the task. */
    first: Type.Optional(Seq),
  },
  closed,
);
export type InstructionGiven = Static<typeof InstructionGivenSchema>;

/** Work on the run stopped for a while. */
export const TaskPausedSchema = Type.Object({ reason: orNull(Reason) }, closed);
export type TaskPaused = Static<typeof TaskPausedSchema>;

/** Work on a paused run goes on. */
export const TaskContinuedSchema = Type.Object({ reason: orNull(Reason) }, closed);
export type TaskContinued = Static<typeof TaskContinuedSchema>;

/** The run was given up, whatever its gate would have said. Nothing changes it from here on. */
export const TaskAbandonedSchema = Type.Object({ reason: Reason }, closed);
export type TaskAbandoned = Static<typeof TaskAbandonedSchema>;

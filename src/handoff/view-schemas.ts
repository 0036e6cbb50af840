import Type from "typebox";
import { InstructedBy } from "../contract/schemas.ts";
import { ListedPaths } from "../evidence/view-schemas.ts";
import { Count, closed, oneOf, orNull, Seq, type Static } from "../schemas.ts";

/** A call whose end nobody saw, with its exact input. Never to be repeated without a decision. */
export const UncertainCall = Type.Object(
  { seq: Seq, tool: Type.String(), input: Type.String() },
  closed,
);

/** The next safe step. */
export const NextActionSchema = Type.Object(
  {
    action: oneOf(
      "start-task",
      "terminal",
      "wait-paused",
      "inspect-journal",
      "take-over",
      "settle-uncertain-call",
      "run-call-again",
      "restore-tree",
      "rerun-exact-verifier",
      "supply-evidence",
      "ask-person",
      "continue-plan",
      "request-completion",
    ),
    /** What to run; `…` stands for what only the caller knows. */
    commands: Type.Array(Type.String()),
  },
  closed,
);
export type NextAction = Static<typeof NextActionSchema>;

/** What the next session may do with the task it finds. */
export const ResumeDecisionSchema = Type.Object(
  {
    decision: oneOf("resume", "retry", "paused", "terminal", "blocked", "none"),
    /** Whether the task may be worked on; false refuses every mutation. */
    safe: Type.Boolean(),
    reasonCodes: Type.Array(Type.String()),
    phase: orNull(Type.String()),
    run: orNull(Type.String()),
    taskId: orNull(Type.String()),
    /** SHA-256 of the owning session's id. */
    owner: orNull(Type.String()),
    /** How often the user said more after the start, and the newest of that from its start, newest first. */
    instructions: Type.Object(
      {
        count: Count,
        newest: Type.Array(
          Type.Object({ seq: Seq, by: InstructedBy, text: Type.String() }, closed),
        ),
      },
      closed,
    ),
    /** Calls whose end nobody saw, with their exact input. Never to be repeated without a decision. */
    uncertain: Type.Array(UncertainCall),
    /** Further calls whose end nobody saw, too many to be told apart. */
    uncertainUnlisted: Count,
    staleVerifiers: Type.Array(Type.String()),
    /** What differs from the beginning of the task. */
    changed: ListedPaths,
    next: NextActionSchema,
  },
  closed,
);
export type ResumeDecision = Static<typeof ResumeDecisionSchema>;

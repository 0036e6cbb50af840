import Type from "typebox";
import { ContractStateSchema } from "../contract/view-schemas.ts";
import { CriterionGraphSchema } from "../criteria/schemas.ts";
import { closed, orNull, type Static } from "../schemas.ts";
import { TrajectoryStateSchema } from "../trajectory/view-schemas.ts";

/** One run of a task, from all its projections. */
export const RunStateSchema = Type.Object(
  {
    task: ContractStateSchema,
    graph: orNull(CriterionGraphSchema),
    trajectory: TrajectoryStateSchema,
    /** Text of what was agreed on was shed, so its digest does not fit what is left. */
    shed: Type.Optional(Type.Literal(true)),
  },
  closed,
);
export type RunState = Static<typeof RunStateSchema>;

/** A run that keeps events from being removed. */
export const HolderSchema = Type.Object(
  { run: Type.String(), taskId: Type.String(), why: Type.String() },
  closed,
);
export type Holder = Static<typeof HolderSchema>;

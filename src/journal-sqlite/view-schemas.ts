import Type from "typebox";
import { HeadSchema } from "../journal/view-schemas.ts";
import { Count, closed, type Static } from "../schemas.ts";

/** A copy of a journal in one file. */
export const BackupSchema = Type.Object(
  {
    /** Absolute. */
    path: Type.String(),
    events: Count,
    head: HeadSchema,
  },
  closed,
);
export type Backup = Static<typeof BackupSchema>;

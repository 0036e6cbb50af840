export {
  decideResume,
  type ResumeInput,
  runToResume,
} from "./resume.ts";
export type { NextAction, ResumeDecision } from "./view-schemas.ts";

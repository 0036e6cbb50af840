export {
  decideResume,
  type NextAction,
  type ResumeDecision,
  type ResumeInput,
  runToResume,
} from "./resume.ts";

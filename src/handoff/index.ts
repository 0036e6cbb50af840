export {
  decideResume,
  type NextAction,
  nextAction,
  type ResumeDecision,
  type ResumeInput,
  runToResume,
  uncertainCalls,
} from "./resume.ts";

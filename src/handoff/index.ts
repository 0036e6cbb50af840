export {
  decideResume,
  nextAction,
  type NextAction,
  type ResumeDecision,
  type ResumeInput,
  runToResume,
  uncertainCalls,
} from "./resume.ts";

export type { Answer, Asking } from "./answer.ts";
export {
  type ConcludedTask,
  Engine,
  type GateReport,
  type StartedTask,
} from "./engine.ts";
export type { ExtensionEvent, ImportReport, JournalAccess } from "./journal-access.ts";
export { DEFAULT_SWITCHES, type EnginePorts } from "./ports.ts";

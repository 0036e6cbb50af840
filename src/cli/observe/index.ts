export { exitCodeOf, type ObservedRun, runObserved } from "./observed-run.ts";
export { catchSignals } from "./signals.ts";

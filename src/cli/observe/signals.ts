import os from "node:os";
import process from "node:process";

/** Signals by which a user or a host asks a running command to stop. */
const STOP_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"] as const;
export type StopSignal = (typeof STOP_SIGNALS)[number];

/** Stop signals, caught so that what they end is still recorded. */
export interface CaughtSignals {
  /** The first that came, or null. */
  first(): StopSignal | null;
  /** Gives the signals that have come, and from now on each that comes, to the receiver. */
  passTo(receiver: ((signal: StopSignal) => void) | null): void;
  /** Lets signals end the process again. */
  release(): void;
}

export function catchSignals(): CaughtSignals {
  const came: StopSignal[] = [];
  let receiver: ((signal: StopSignal) => void) | null = null;
  const caught = (signal: StopSignal) => {
    came.push(signal);
    receiver?.(signal);
  };
  for (const signal of STOP_SIGNALS) process.on(signal, caught);
  return {
    first: () => came[0] ?? null,
    passTo(next) {
      receiver = next;
      for (const signal of came) next?.(signal);
    },
    release() {
      for (const signal of STOP_SIGNALS) process.off(signal, caught);
    },
  };
}

/** The exit code by which shells tell that a signal ended a command. @see POSIX.1-2024, Shell, 2.8.2 */
export function exitCodeOfSignal(signal: string): number {
  return 128 + (os.constants.signals[signal as NodeJS.Signals] ?? 0);
}

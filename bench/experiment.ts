import type { Figures } from "./figures.ts";
import type { Lab } from "./lab.ts";

/** One number of an experiment, and how large it may be. Without a bound it is only shown. */
export interface Line {
  /** Which of the figures. */
  readonly figure: string;
  readonly label: string;
  readonly unit?: string;
  readonly atMost?: number;
  readonly atLeast?: number;
}

/** What is measured together, several times over. */
export interface Experiment {
  readonly name: string;
  /** How it is measured, for the table in `docs/performance.md`. */
  readonly how: string;
  /** Rounds, of which the median counts: five, unless said otherwise. */
  readonly rounds?: number;
  /** Left out where it has to be quick, unless it is asked for. */
  readonly isSlow?: boolean;
  readonly round: (lab: Lab) => Promise<Figures>;
  readonly lines: readonly Line[];
}

/** Events of a long journal. */
export const long = ({ quick }: Lab) => (quick ? 10_000 : 100_000);

/** How many of something: a tenth of it where it has to be quick. */
export const tenth = ({ quick }: Lab, count: number) => (quick ? count / 10 : count);

/** How much longer one took than the other. */
export const over = (subject: Figures, floor: Figures) =>
  (subject.ms ?? Number.NaN) / (floor.ms ?? Number.NaN);

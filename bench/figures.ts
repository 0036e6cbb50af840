/** What a measure found, by name. The unit stands last in the name; without one it is a ratio. */
export type Figures = Readonly<Record<string, number>>;

/** What a measure is told. Everything but the folder has a meaning of its own to each measure. */
export interface Input {
  /** Where it works: its own empty folder, or the project of a journal that was made before. */
  readonly folder: string;
  readonly count: number;
  readonly subject?: string;
  readonly writer?: number;
  /** When to begin, so that several processes begin together; milliseconds since 1970. */
  readonly startMs?: number;
  readonly forMs?: number;
}

/** Something that is measured, or made to be measured, in a process of its own. */
export type Measure = (input: Input) => Promise<Figures>;

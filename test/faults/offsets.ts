/** The numbers from 0 up to and without `end`. */
export const every = (end: number): readonly number[] => Array.from({ length: end }, (_, n) => n);

/** Some of them, in order: for a short run, where all would take too long. */
export function some(
  end: number,
  count: number,
  random: { readonly below: (bound: number) => number },
): readonly number[] {
  return [...new Set(every(count).map(() => random.below(end)))].toSorted((a, b) => a - b);
}

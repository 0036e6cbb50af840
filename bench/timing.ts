/** Microseconds that `work` takes. */
export async function microseconds(work: () => unknown): Promise<number> {
  const start = process.hrtime.bigint();
  await work();
  return Number(process.hrtime.bigint() - start) / 1_000;
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** Appends in one turn before it is the other's, so that a busy machine disturbs both alike. */
const BLOCK = 20;

/** The median over blocks of how much longer `subject` takes than `floor`. */
export async function pairedRatio(
  count: number,
  floor: (n: number) => unknown,
  subject: (n: number) => unknown,
): Promise<{ readonly ratio: number; readonly floorUs: number; readonly subjectUs: number }> {
  const floors: number[] = [];
  const subjects: number[] = [];
  const block = (work: (n: number) => unknown, from: number) =>
    microseconds(async () => {
      for (let n = from; n < from + BLOCK; n++) await work(n);
    });
  for (let n = 0; n < count; n += BLOCK) {
    floors.push((await block(floor, n)) / BLOCK);
    subjects.push((await block(subject, n)) / BLOCK);
  }
  const ratios = subjects.map((us, index) => us / (floors[index] ?? Number.NaN));
  return { ratio: median(ratios), floorUs: median(floors), subjectUs: median(subjects) };
}

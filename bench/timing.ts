import fs from "node:fs";

/** Microseconds that `work` takes. */
export async function microseconds(work: () => unknown): Promise<number> {
  const start = process.hrtime.bigint();
  await work();
  return Number(process.hrtime.bigint() - start) / 1_000;
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

export const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** Items that one contender takes before it is the next one's turn. */
const BLOCK = 20;

/**
 * Lets contenders take the same items in turns, so that a busy machine disturbs all alike. Each
 * block begins with another one, since the first may find the disk less busy.
 *
 * @returns for each contender the microseconds per item, block by block
 */
export async function inTurns<Item, Name extends string>(
  items: readonly Item[],
  contenders: Readonly<Record<Name, (item: Item) => unknown>>,
): Promise<Readonly<Record<Name, readonly number[]>>> {
  const names = Object.keys(contenders) as Name[];
  const taken = Object.fromEntries(names.map((name) => [name, [] as number[]]));
  for (let at = 0, block = 0; at < items.length; at += BLOCK, block++) {
    const some = items.slice(at, at + BLOCK);
    for (let turn = 0; turn < names.length; turn++) {
      const name = names[(block + turn) % names.length] as Name;
      const us = await microseconds(async () => {
        for (const item of some) await contenders[name](item);
      });
      taken[name]?.push(us / some.length);
    }
  }
  return taken as Record<Name, number[]>;
}

/** The median over the blocks of how much longer one took than the other. */
export function ratioOf(subject: readonly number[], floor: readonly number[]): number {
  return median(subject.map((us, block) => us / (floor[block] ?? Number.NaN)));
}

/** The most memory that this process held at once. */
export function peakMemoryMb(): number {
  // On Linux the other number may be that of the process that started this one.
  if (process.platform !== "linux") return process.resourceUsage().maxRSS / 1_024;
  const status = fs.readFileSync("/proc/self/status", "utf8");
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1_024;
}

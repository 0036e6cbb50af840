import process from "node:process";

/**
 * Random numbers that a seed repeats: the generator known as mulberry32.
 *
 * `HOLDFAST_TEST_SEED` sets the seed; otherwise it is a new one each time, and is printed.
 */
export function seededRandom(of: string): { readonly below: (bound: number) => number } {
  const given = process.env.HOLDFAST_TEST_SEED;
  const seed = given === undefined ? Math.floor(Math.random() * 2 ** 32) : Number(given);
  console.info(`${of}: HOLDFAST_TEST_SEED=${seed}`);
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return { below: (bound) => Math.floor(next() * bound) };
}

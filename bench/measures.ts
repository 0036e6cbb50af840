/** One measure in a process of its own: `node bench/measures.ts NAME INPUT`, answered as JSON. */
import type { Measure } from "./figures.ts";

const append = () => import("./measures/append.ts");
const choices = () => import("./measures/choices.ts");
const growth = () => import("./measures/growth.ts");
const load = () => import("./measures/load.ts");
const make = () => import("./measures/make.ts");
const writers = () => import("./measures/writers.ts");

/** Each loads only what it needs, since some of them look at the memory that their process takes. */
const MEASURES = {
  appendFull: async () => (await append()).appendFull,
  appendProcess: async () => (await append()).appendProcess,
  countWritten: async () => (await writers()).countWritten,
  dispatch: async () => (await append()).dispatch,
  dropSnapshot: async () => (await make()).dropSnapshot,
  groups: async () => (await append()).groups,
  growth: async () => (await growth()).growth,
  hashes: async () => (await choices()).hashes,
  makeEvents: async () => (await make()).makeEvents,
  makeLongTail: async () => (await make()).makeLongTail,
  makeRun: async () => (await make()).makeRun,
  open: async () => (await load()).open,
  plainLoad: async () => (await load()).plainLoad,
  projectedLoad: async () => (await load()).projectedLoad,
  snapshots: async () => (await choices()).snapshots,
  status: async () => (await load()).status,
  verifiedLoad: async () => (await load()).verifiedLoad,
  write: async () => (await writers()).write,
  writePlainly: async () => (await writers()).writePlainly,
} satisfies Readonly<Record<string, () => Promise<Measure>>>;

export type MeasureName = keyof typeof MEASURES;

if (import.meta.main) {
  const [name = "", input = "{}"] = process.argv.slice(2);
  const measure = await MEASURES[name as MeasureName]();
  console.log(JSON.stringify(await measure(JSON.parse(input))));
}

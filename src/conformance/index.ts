/** What every journal store has to do, for whoever writes one of their own. */
import { appending } from "./appending.ts";
import { importing } from "./importing.ts";
import type { StoreTest } from "./setting.ts";
import { takingOut } from "./taking-out.ts";

export type { OpenTwoHandles, StoreTest, TwoHandles } from "./setting.ts";

/**
 * The promises of the store port, each as one test for whichever test runner there is.
 *
 * @example
 * for (const { name, run } of storeConformance) {
 *   test(name, () => run(async () => ({ one: await openMine(file), other: await openMine(file) })));
 * }
 */
export const storeConformance: readonly StoreTest[] = [...appending, ...importing, ...takingOut];

import { test } from "vitest";
import { type OpenTwoHandles, storeConformance } from "../../src/conformance/index.ts";

/** What every store promises, whatever it keeps its rows in. */
export function describeStore(open: OpenTwoHandles): void {
  for (const { name, run } of storeConformance) test(name, () => run(open));
}

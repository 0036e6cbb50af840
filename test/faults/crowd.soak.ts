import { test } from "vitest";
import { expectNoneLostIn } from "./crowd.ts";

test("eight writers and two readers at once lose and double nothing, for a minute", async () => {
  await expectNoneLostIn(60_000);
});

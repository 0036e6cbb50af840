import { test } from "vitest";
import { expectNoneLostIn } from "./crowd.ts";

test("eight writers and two readers at once lose and double nothing, for a while", async () => {
  await expectNoneLostIn(3_000);
}, 60_000);

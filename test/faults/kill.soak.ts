import { test } from "vitest";
import { expectNothingLostIn } from "./random-kills.ts";

test("no acknowledged event is lost or doubled when its process is killed, 400 times", async () => {
  await expectNothingLostIn(400);
});

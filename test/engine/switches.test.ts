import { expect, test } from "vitest";
import { DEFAULT_SWITCHES } from "../../src/engine/index.ts";
import { DRAFT, openEngineOver } from "./makers.ts";

test("the safe defaults are frozen: building a feature does not switch it on", () => {
  expect(DEFAULT_SWITCHES).toEqual({
    autoRecovery: "on",
    phaseTools: "shadow",
    intelligenceEngine: "on",
  });
});

test("a task keeps the switches that it began with", async () => {
  const { engine } = await openEngineOver();
  const { run } = await engine.startTask(DRAFT, { session: "ada" });
  expect((await engine.task(run)).task.contract.switches).toEqual(DEFAULT_SWITCHES);
});

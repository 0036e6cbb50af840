import { expect, test } from "vitest";
import type { TaskDraft } from "../../src/contract/index.ts";
import type { Command } from "../../src/task/index.ts";
import { DRAFT, openEngineOver } from "./makers.ts";

test.each<[string, object, string]>([
  ["lacks a field", { ...DRAFT, summary: undefined }, "summary"],
  ["has an unknown field", { ...DRAFT, colour: "red" }, "does not exist: colour"],
  [
    "has a wrong value deep within one of several shapes",
    { ...DRAFT, acceptanceCriteria: [{ text: "it works", priority: "high" }] },
    "/acceptanceCriteria/0/priority: it must be equal to one of the allowed values: critical, normal",
  ],
  ["is too short", { ...DRAFT, summary: "short" }, "/summary"],
])("a draft that %s is refused, and the place is named", async (_, draft, told) => {
  const { engine } = await openEngineOver();
  await expect(engine.startTask(draft as TaskDraft)).rejects.toMatchObject({
    code: "contract/invalid",
    message: expect.stringContaining(told),
  });
  expect((await engine.journal.head()).seq).toBe(1);
});

test("a command of an unknown type is refused with the types that there are", async () => {
  const { engine } = await openEngineOver();
  await expect(engine.dispatch({ type: "makeTea" } as unknown as Command)).rejects.toMatchObject({
    code: "input/invalid",
    message: expect.stringMatching(/\/type.*startTask, requestTool/),
  });
});

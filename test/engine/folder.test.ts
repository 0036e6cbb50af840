import { expect, test } from "vitest";
import { DRAFT, observed, openEngineOver, VERIFIER } from "./makers.ts";

const session = "ada";

test("a verifier's words in another folder are another command", async () => {
  const { engine, workspace } = await openEngineOver();
  await engine.startTask(DRAFT, { session });
  workspace.write("src/cart.js", "v2");
  const below = { ...observed(workspace.digest), cwd: "packages/cart" };
  const { events } = await engine.dispatch(below, { session });
  expect(events.map(({ header }) => header.type)).not.toContain("task.concluded");
  expect(events[0]?.body).toMatchObject({ folder: "packages/cart", verifierOf: null });
  const { verifiers } = await engine.status({ session });
  expect(verifiers).toMatchObject([{ command: VERIFIER, currency: "missing" }]);

  const request = { type: "requestTool", call: "c", tool: "bash", effect: "shell" } as const;
  const asked = await engine.dispatch({ ...request, command: VERIFIER, cwd: "a" }, { session });
  expect(asked.events).toHaveLength(1);
  expect(asked.events[0]?.body).toMatchObject({ folder: "a", verifierOf: null });
});

test.each(["/abs", "..", "../x", "a/../../x", "a/..", ".", "./a", "a\0b"])(
  "%j is no current folder within the project",
  async (cwd) => {
    const { engine } = await openEngineOver();
    const below = { ...observed(null), cwd };
    await expect(engine.dispatch(below, { session })).rejects.toMatchObject({
      code: "input/invalid",
    });
  },
);

test.each(["", "a", "a/b c/..d", "…/ü"])("%j is a current folder within it", async (cwd) => {
  const { engine } = await openEngineOver();
  const { events } = await engine.dispatch({ ...observed(null), cwd }, { session });
  expect(events[0]?.body).toMatchObject({ folder: cwd });
});

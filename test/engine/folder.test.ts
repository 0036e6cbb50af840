import { expect, test } from "vitest";
import type { ObserveCommand } from "../../src/task/index.ts";
import { DRAFT, observed, openEngineOver, VERIFIER } from "./makers.ts";

const session = "ada";

/** An observation whose current folder is `cwd`. */
function observedIn(cwd: string, treeBefore: string | null = null): ObserveCommand {
  return { ...(observed(treeBefore) as ObserveCommand), cwd };
}

test("a verifier's words in another folder are another command", async () => {
  const { engine, workspace } = await openEngineOver();
  await engine.startTask(DRAFT, { session });
  workspace.write("src/cart.js", "v2");
  const below = observedIn("packages/cart", workspace.digest);
  const { events } = await engine.dispatch(below, { session });
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
    await expect(engine.dispatch(observedIn(cwd), { session })).rejects.toMatchObject({
      code: "input/invalid",
    });
  },
);

test.each(["", "a", "a/b c/..d", "…/ü"])("%j is a current folder within it", async (cwd) => {
  const { engine } = await openEngineOver();
  const { events } = await engine.dispatch(observedIn(cwd), { session });
  expect(events[0]?.body).toMatchObject({ folder: cwd });
});

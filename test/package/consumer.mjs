// Run in a folder that has nothing but the installed package: the library as a stranger uses it.
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { HoldfastError, MemoryStore, openEngine } from "holdfast";
import { storeConformance } from "holdfast/conformance";
import draftSchema from "holdfast/schemas/task-draft.json" with { type: "json" };

const draft = {
  summary: "Reject quantities below one",
  acceptanceCriteria: ["addItem(0) throws RangeError"],
  verifyCommands: ["npm test"],
};
assert.ok(draftSchema.required.every((field) => Object.hasOwn(draft, field)));

const projectDir = mkdtempSync(path.join(tmpdir(), "holdfast-consumer-"));
try {
  const engine = await openEngine({ projectDir });
  const { run, head } = await engine.startTask(draft, { session: "consumer" });
  assert.notEqual((await engine.gate(run)).decision, "pass");
  await engine.close();

  const again = await openEngine({ projectDir });
  assert.equal((await again.task(run)).task.contract.run, run);
  assert.equal((await again.journal.verify({ noted: head })).ok, true);
  await assert.rejects(again.startTask({ summary: 1 }, { session: "consumer" }), HoldfastError);
  await again.close();

  for (const { run: prove } of storeConformance) {
    const store = new MemoryStore({ secret: () => randomBytes(32).toString("hex") });
    await prove(async () => ({ one: store, other: store }));
  }
} finally {
  rmSync(projectDir, { recursive: true, force: true });
}

import { expect, test } from "vitest";
import { assess } from "../../src/evidence/index.ts";
import { completionReceipt } from "../../src/status/index.ts";
import { aDraft, BEHAVIOR, HASHING, VERIFIED, VERIFIER } from "../task/makers.ts";
import { type Project, started } from "../task/project.ts";

function receiptOf(project: Project) {
  const run = project.own();
  const { task, graph } = run;
  if (graph === null) throw new Error("The run has no graph.");
  const tree = project.tree();
  const { evidence } = project.state;
  const { criteria } = assess({ task, graph, evidence, tree, hashing: HASHING });
  const gate = evidence.gates[task.contract.run];
  if (gate === undefined) throw new Error("No gate was recorded.");
  return completionReceipt(run, gate, criteria, { seq: project.events.length, hash: "head" });
}

test("a receipt names what was concluded, on which tree and by which proof", () => {
  const project = started(aDraft({ taskId: "cart", acceptanceCriteria: [BEHAVIOR, VERIFIED] }));
  const base = project.tree().commit;
  project.write("src/cart.js", "v2");
  const seq = project.run();
  project.bind("criterion-01", "behavioral-check", `command:${VERIFIER}`);
  const bound = project.events.length;
  project.commit();
  const { digest, commit } = project.tree();
  expect(project.conclude("completed").refusal).toBeNull();
  expect(receiptOf(project)).toEqual({
    run: project.own().task.contract.run,
    taskId: "cart",
    attempt: 1,
    outcome: "completed",
    reason: null,
    tree: digest,
    commits: { base, head: commit },
    changed: { paths: ["src/cart.js"], count: 1 },
    verifiers: [{ command: VERIFIER, seq }],
    criteria: [
      { id: "criterion-01", status: "satisfied", evidence: [bound, seq] },
      { id: "criterion-02", status: "satisfied", evidence: [seq] },
    ],
    warnings: [],
    head: { seq: project.events.length, hash: "head" },
    assurance: expect.stringContaining("not an independent attestation"),
  });
});

test("a receipt of a run that was given up shows what was not proved", () => {
  const project = started(aDraft());
  project.conclude("partial", { reason: "half of it" });
  expect(receiptOf(project)).toMatchObject({
    outcome: "partial",
    reason: "half of it",
    verifiers: [{ command: VERIFIER, seq: null }],
    criteria: [{ id: "criterion-01", status: "pending", evidence: [] }],
    warnings: [expect.stringContaining("no-change")],
  });
});

import fc from "fast-check";
import { expect, test } from "vitest";
import { aDraft, FAILED, PASSED, TIMED_OUT, VERIFIER } from "../task/makers.ts";
import { type Project, started } from "../task/project.ts";

/** What is remembered beside the engine: each digest that an event saw, and the last verifier run. */
interface Model {
  seen: string[];
  last: { readonly verdict: string; readonly before: string; readonly at: number } | null;
}

type Act = (project: Project, model: Model) => void;

const digestOf = (project: Project) => project.tree().digest ?? "";

const write =
  (content: string): Act =>
  (project) =>
    project.write("src/cart.js", content);

const look: Act = (project, model) => {
  model.seen.push(digestOf(project));
  project.run("git diff");
};

const recordGate: Act = (project, model) => {
  model.seen.push(digestOf(project));
  project.accept({ type: "recordGate" });
};

const verify =
  (verdict: "pass" | "fail" | "inconclusive", changesTo: string | null = null): Act =>
  (project, model) => {
    const before = digestOf(project);
    const end = { pass: PASSED, fail: FAILED, inconclusive: TIMED_OUT }[verdict];
    project.run(VERIFIER, end, {}, () => {
      if (changesTo !== null) project.write("src/cart.js", changesTo);
    });
    model.seen.push(before, digestOf(project));
    model.last = { verdict, before, at: model.seen.length };
  };

const cutOff: Act = (project, model) => {
  model.seen.push(digestOf(project));
  project.request();
};

const ACTS: Readonly<Record<string, Act>> = {
  "write v1": write("v1"),
  "write v2": write("v2"),
  "write v3": write("v3"),
  look,
  "record the gate": recordGate,
  "verify: pass": verify("pass"),
  "verify: pass and write v2": verify("pass", "v2"),
  "verify: fail": verify("fail"),
  "verify: fail and write v3": verify("fail", "v3"),
  "verify: inconclusive": verify("inconclusive"),
  "verify: cut off": cutOff,
  commit: (project) => project.commit(),
};

/** The rule in its own words: the newest run decides, and nothing else may have been seen since. */
function expectedStanding({ last, seen }: Model, now: string): string {
  if (last === null) return "missing";
  if (last.verdict === "inconclusive") return "inconclusive";
  const ofRun = seen[last.at - 1];
  const stayed = seen.slice(last.at).every((digest) => digest === ofRun);
  const isAsLeft = ofRun === now && stayed;
  if (last.verdict === "fail") return isAsLeft ? "failed" : "failed-before";
  if (isAsLeft && last.before === ofRun) return "current";
  return last.before !== ofRun && ofRun === now ? "changed-tree" : "stale";
}

test("whatever happens, a verify command stands as a plain log of what was seen says", () => {
  const names = fc.array(fc.constantFrom(...Object.keys(ACTS)), { maxLength: 12 });
  fc.assert(
    fc.property(names, (acts) => {
      const project = started(aDraft());
      const model: Model = { seen: [digestOf(project)], last: null };
      for (const act of acts) ACTS[act]?.(project, model);
      const standing = expectedStanding(model, digestOf(project));
      expect(project.standing().currency).toBe(standing);
      const isOpen = acts.lastIndexOf("verify: cut off") > lastVerify(acts);
      expect(project.gate().decision === "pass").toBe(standing === "current" && !isOpen);
    }),
    { numRuns: 150 },
  );
});

function lastVerify(acts: readonly string[]): number {
  return acts.findLastIndex((act) => act.startsWith("verify") && act !== "verify: cut off");
}

import { expect, test } from "vitest";
import { ADA, aDraft, BOB, VERIFIED } from "../task/makers.ts";
import { type Project, started } from "../task/project.ts";

const ALL_ASKED = { acceptanceCriteria: [VERIFIED], scope: ["**"] };

function told(project: Project, text: string, session = ADA): number {
  const [event] = project.accept({ type: "giveInstruction", text, by: "user" }, { session });
  return event?.header.seq ?? 0;
}

/** A project in which these files changed, with proof. */
function changed(...paths: readonly string[]): Project {
  const project = started(aDraft(ALL_ASKED));
  for (const path of paths) project.write(path, "v2");
  project.run();
  return project;
}

test("FR-059: a change of what a later instruction names is for a person to settle", () => {
  const project = changed("src/cart.js", "README.md");
  expect(project.gate().decision).toBe("pass");
  const seq = told(project, "and do not touch README.md");
  expect(project.gate()).toMatchObject({
    decision: "needs-person",
    missing: [
      {
        code: "instruction-names-changed",
        by: "person",
        message: `What the user's instruction at event ${seq} names changed (README.md): "and do not touch README.md"`,
      },
    ],
  });
  expect(project.conclude("completed").refusal?.code).toBe("gate/refused");
  expect(project.resume().instructions).toEqual({
    count: 1,
    newest: [{ seq, by: "user", text: "and do not touch README.md" }],
  });
  project.write("README.md", "read me");
  project.run();
  expect(project.gate().decision).toBe("pass");
});

test("a scope that names the path, accepted since, settles it", () => {
  const project = changed("README.md");
  told(project, "README.md stays as it is");
  project.accept({
    type: "proposeCriteria",
    acceptanceCriteria: [{ id: "criterion-01" }],
    scope: ["src/**", "README.md"],
    reason: "The flag has to be documented.",
  });
  expect(project.gate().decision).toBe("needs-person");
  const amendment = "amendment-01";
  project.accept({ type: "acceptCriteria", amendment, reason: "Right.", by: "terminal" });
  expect(project.gate().decision).toBe("pass");
  told(project, "no, leave README.md alone");
  expect(project.gate().decision).toBe("needs-person");
});

test.each([
  ["leave src/cart.js.", "src/cart.js", true],
  ["leave `./src/cart.js`!", "src/cart.js", true],
  ["nothing in (src/cart.js)", "src/cart.js", true],
  ["not my notes.txt, please", "my notes.txt", true],
  ["not the cart.js", "src/cart.js", false],
  ["not src/cart.jsx", "src/cart.js", false],
  ["not old/src/cart.js", "src/cart.js", false],
  ["be careful", "src/cart.js", false],
])("%j names %s: %s", (text, path, isNamed) => {
  const project = changed(path);
  told(project, text);
  expect(project.missing()).toEqual(isNamed ? ["instruction-names-changed"] : []);
});

test("what a session is told that works on nothing stands in no run", () => {
  const project = changed("README.md");
  told(project, "leave README.md", BOB);
  expect(project.events.at(-1)?.header).toMatchObject({ type: "instruction.given", run: "-" });
  expect(project.gate().decision).toBe("pass");
});

test("an instruction is kept word for word without secrets, and of a long one both ends", () => {
  const project = changed("src/cart.js");
  told(project, "use API_KEY=correct-horse-battery for it");
  told(project, `${"a".repeat(9_000)} and the end`);
  const { count, recent } = project.own().task.instructions;
  expect(count).toBe(2);
  expect(recent).toMatchObject([
    { whole: true, text: expect.not.stringContaining("correct-horse") },
    { whole: false, text: expect.stringMatching(/^a{4096}.* and the end$/s) },
  ]);
  expect(project.events.at(-1)?.body).toMatchObject({ whole: false, bytes: 9_012 });
  expect(project.gate().warnings).toEqual([expect.stringContaining("only both ends are kept")]);
});

test("what programs pass on never pushes out what the user said", () => {
  const project = changed("README.md");
  told(project, "leave README.md");
  for (let count = 1; count <= 600; count++) {
    project.accept({ type: "giveInstruction", text: `remark ${count}`, by: "program" });
  }
  const { count, recent } = project.own().task.instructions;
  expect([count, recent.length, recent[0]?.text]).toEqual([601, 512, "leave README.md"]);
  expect(project.missing()).toEqual(["instruction-names-changed"]);
  expect(project.resume().instructions.newest).toHaveLength(8);
});

test("where the user said more than is kept, a person settles what is not known any more", () => {
  const project = changed("README.md");
  told(project, "leave README.md");
  for (let count = 1; count <= 512; count++) told(project, `remark ${count}`);
  expect(project.own().task.instructions.recent).toHaveLength(512);
  expect(project.missing()).toEqual(["instructions-unknown"]);
  const acceptanceCriteria = [{ id: "criterion-01", priority: "critical" as const }];
  const reason = "So it stands.";
  project.accept({ type: "proposeCriteria", acceptanceCriteria, reason });
  project.accept({ type: "acceptCriteria", amendment: "amendment-01", reason, by: "terminal" });
  expect(project.missing()).toEqual([]);
});

test("of what was shed nothing is known but that it was said, so a person settles it", () => {
  const project = changed("README.md");
  const { run } = project.own().task.contract;
  project.plant("instruction.given", null, run);
  expect(project.own().task.instructions).toMatchObject({ count: 1, recent: [] });
  expect(project.missing()).toEqual(["instructions-unknown"]);
  const part = changed("README.md");
  part.accept({ type: "giveInstruction", text: "leave [SHED] alone", by: "user" });
  expect(part.missing()).toEqual(["instructions-unknown"]);
});

test("what was said binds the next attempt, also what is not known any more", () => {
  const project = changed("README.md");
  const first = told(project, "leave README.md");
  project.plant("instruction.given", null, project.own().task.contract.run);
  project.conclude("failed", { reason: "another way", failedAt: "execute" });
  project.accept({ type: "retryTask" });
  project.run();
  expect(project.own().task.instructions).toMatchObject({
    count: 2,
    recent: [{ whole: false }, { text: "leave README.md", first }],
  });
  expect(project.missing()).toEqual(["instruction-names-changed", "instructions-unknown"]);
});

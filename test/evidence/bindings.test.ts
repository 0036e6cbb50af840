import fc from "fast-check";
import { expect, test } from "vitest";
import type { Refusal } from "../../src/errors.ts";
import { assess, type RecordedObservation } from "../../src/evidence/index.ts";
import type { JsonObject } from "../../src/journal/index.ts";
import { decide } from "../../src/task/index.ts";
import {
  aDraft,
  aReading,
  aTree,
  BEHAVIOR,
  BOB,
  FAILED,
  facts,
  HASHING,
  hashingOf,
  PASSED,
  VERIFIED,
  VERIFIER,
} from "../task/makers.ts";
import { Project, started } from "../task/project.ts";

const FIRST = "criterion-01";
const CHECK = "node check-counts.js";

/** A run whose verifier passed and whose first criterion still lacks a behavioral check. */
function verifiedProject(): Project {
  const project = started(aDraft({ acceptanceCriteria: [BEHAVIOR, VERIFIED] }));
  project.write("src/cart.js", "v2");
  project.run();
  expect(project.missing()).toEqual(["criterion-unproved"]);
  return project;
}

function bound(project: Project, reference: string): Refusal | null {
  return project.bind(FIRST, "behavioral-check", reference).refusal;
}

test("a criterion is blocked while a verify command that it needs fails on the tree as it is", () => {
  const project = started(aDraft({ acceptanceCriteria: [BEHAVIOR, VERIFIED] }));
  const statuses = () => {
    const { task, graph } = project.own();
    const { evidence } = project.state;
    const input = { task, graph: graph as never, evidence, tree: project.tree(), hashing: HASHING };
    return assess(input).criteria.map(({ status }) => status);
  };
  expect(statuses()).toEqual(["pending", "pending"]);
  project.write("src/cart.js", "wrong");
  project.run(VERIFIER, FAILED);
  expect(statuses()).toEqual(["blocked", "blocked"]);
  project.write("src/cart.js", "right");
  expect(statuses()).toEqual(["pending", "pending"]);
  project.run();
  expect(statuses()).toEqual(["pending", "satisfied"]);
});

test("a check that passed on this tree proves a criterion once it is named for it", () => {
  for (const refer of [(seq: number) => `seq:${seq}`, () => `command:${CHECK}`]) {
    const project = verifiedProject();
    const seq = project.run(CHECK);
    expect(project.gate().decision).toBe("pending");
    expect(bound(project, refer(seq))).toBeNull();
    expect(project.gate().decision).toBe("pass");
  }
});

test("the exact verifier is a check that may be named", () => {
  const project = verifiedProject();
  expect(bound(project, `command: ${VERIFIER}\r\n`)).toBeNull();
  expect(project.gate().decision).toBe("pass");
});

test("a verify command was agreed on as a check, whatever it looks like", () => {
  const project = started(
    aDraft({ acceptanceCriteria: [BEHAVIOR], verifyCommands: ["grep -q ok src/cart.js"] }),
  );
  project.write("src/cart.js", "v2");
  const seq = project.run("grep -q ok src/cart.js");
  expect(bound(project, `seq:${seq}`)).toBeNull();
  expect(project.missing()).toEqual([]);
});

test("evidence for one criterion is none for another", () => {
  const project = started(aDraft({ acceptanceCriteria: [BEHAVIOR, "the cart remembers"] }));
  project.write("src/cart.js", "v2");
  project.run();
  bound(project, `command:${VERIFIER}`);
  expect(project.gate().missing).toEqual([
    expect.objectContaining({ message: expect.stringContaining("criterion-02") }),
  ]);
});

test("a bound observation goes stale with the tree, and for good", () => {
  const project = verifiedProject();
  bound(project, `seq:${project.run(CHECK)}`);
  project.write("src/cart.js", "v3");
  project.run();
  expect(project.missing()).toEqual(["criterion-unproved"]);
  // A later run is another observation; the bound one is not the latest but itself.
  project.run(CHECK);
  expect(project.missing()).toEqual(["criterion-unproved"]);
});

test("a bound command is resolved anew at each evaluation", () => {
  const project = verifiedProject();
  project.run(CHECK);
  bound(project, `command:${CHECK}`);
  project.write("src/cart.js", "v3");
  project.run();
  expect(project.missing()).toEqual(["criterion-unproved"]);
  project.run(CHECK);
  expect(project.gate().decision).toBe("pass");
  project.run(CHECK, FAILED);
  expect(project.missing()).toEqual(["criterion-unproved"]);
});

test("a bound command stands on its latest observation, however many others follow", () => {
  const project = verifiedProject();
  project.run(CHECK);
  bound(project, `command:${CHECK}`);
  for (let other = 0; other < 300; other++) project.end(`node check-${other}.js`);
  expect(project.gate().decision).toBe("pass");
});

test("binding evidence again changes nothing but the binding", () => {
  const anEnd = fc.constantFrom(PASSED, FAILED);
  const aReference = fc.constantFrom(`command:${CHECK}`, `command:${VERIFIER}`);
  fc.assert(
    fc.property(fc.array(anEnd, { minLength: 1, maxLength: 5 }), aReference, (ends, reference) => {
      const project = verifiedProject();
      for (const end of ends) project.run(CHECK, end);
      expect(bound(project, reference)).toBeNull();
      const { bindings: _, ...once } = project.state.evidence;
      for (let again = 0; again < 3; again++) expect(bound(project, reference)).toBeNull();
      const { bindings: __, ...often } = project.state.evidence;
      expect(often).toEqual(once);
    }),
    { numRuns: 25 },
  );
});

test("failures before a pass are counted once, however often the command is bound", () => {
  const project = verifiedProject();
  project.run(CHECK, FAILED);
  project.run(CHECK);
  for (let time = 0; time < 3; time++) {
    bound(project, `command:${CHECK}`);
    const [latest] = Object.values(project.state.evidence.latest)
      .flat()
      .filter(({ command }) => command === CHECK);
    expect(latest).toMatchObject({ verdict: "pass", failures: 1 });
  }
});

test("a bound observation stays proof after it has left the recent ones", () => {
  const project = verifiedProject();
  const seq = project.run(CHECK);
  bound(project, `seq:${seq}`);
  for (let other = 0; other < 300; other++) project.end(`node check-${other}.js`);
  expect(project.gate().decision).toBe("pass");
  expect(bound(project, `seq:${seq}`)).toMatchObject({ code: "evidence/observation-unknown" });
});

test("a check that failed may be named, and proves nothing", () => {
  const project = verifiedProject();
  bound(project, `seq:${project.run(CHECK, FAILED)}`);
  expect(project.missing()).toEqual(["criterion-unproved"]);
});

test("a check on another tree may be named, and proves nothing", () => {
  const project = verifiedProject();
  const seq = project.run(CHECK);
  project.write("src/cart.js", "v3");
  project.run();
  bound(project, `seq:${seq}`);
  expect(project.missing()).toEqual(["criterion-unproved"]);
});

test("a check that changed the tree proves nothing", () => {
  const project = verifiedProject();
  bound(project, `seq:${project.run(CHECK, PASSED, {}, () => project.write("src/new.js", "x"))}`);
  project.run();
  expect(project.missing()).toEqual(["criterion-unproved"]);
});

test("an observation under another journal's key can't be named", () => {
  const project = verifiedProject();
  const theirs = hashingOf("another journal");
  const seq = project.run(CHECK, PASSED, { facts: { hashing: theirs } });
  expect(bound(project, `seq:${seq}`)).toMatchObject({ code: "evidence/other-journal" });
  expect(project.missing()).toEqual(["criterion-unproved"]);
});

test("a check from before the task began can't be named, however it is referred to", () => {
  const project = new Project();
  const seq = project.run(CHECK);
  project.start(aDraft({ acceptanceCriteria: [BEHAVIOR, VERIFIED] }));
  for (const reference of [`seq:${seq}`, `command:${CHECK}`]) {
    expect(bound(project, reference)).toMatchObject({ code: "evidence/before-task" });
  }
  project.run(CHECK);
  expect(bound(project, `command:${CHECK}`)).toBeNull();
});

test("a check in another folder is another command, for either kind of reference", () => {
  const project = verifiedProject();
  const elsewhere = { cwd: "packages/cart" };
  const seq = project.run(CHECK, PASSED, elsewhere);
  for (const reference of [`seq:${seq}`, `command:${CHECK}`]) {
    expect(bound(project, reference)).toMatchObject({ code: "evidence/other-folder" });
  }
  project.run(CHECK);
  project.run(CHECK, PASSED, elsewhere);
  expect(bound(project, `command:${CHECK}`)).toBeNull();
  expect(project.gate().decision).toBe("pass");
  // Once the run in the own folder has failed, a pass elsewhere does not stand in for it.
  project.run(CHECK, FAILED);
  project.run(CHECK, PASSED, elsewhere);
  expect(project.missing()).toEqual(["criterion-unproved"]);
});

test("a bound command is proved from another working tree of the very same content", () => {
  const project = verifiedProject();
  project.link("feature");
  project.run(CHECK, PASSED, { place: "feature" });
  bound(project, `command:${CHECK}`);
  expect(project.gate().decision).toBe("pass");
  project.run(CHECK, FAILED);
  expect(project.missing()).toEqual(["criterion-unproved"]);
});

test("what another writer bound from before the task or under another key proves nothing", () => {
  const theirs = hashingOf("another journal");
  const project = new Project();
  const before = project.run(CHECK);
  const past = project.state.evidence.recent.at(-1);
  project.start(aDraft({ acceptanceCriteria: [BEHAVIOR, VERIFIED] }));
  project.run();
  const { run } = project.own().task.contract;
  const imported = project.run(CHECK, PASSED, { facts: { hashing: theirs } });
  const other = project.state.evidence.recent.at(-1);
  const plant = (reference: JsonObject, observation: RecordedObservation | undefined) => {
    const { seq: _, ...body } = observation ?? {};
    const binding = { criterion: FIRST, kind: "behavioral-check", reference, observation: body };
    project.plant("evidence.bound", binding as JsonObject, run);
    expect(project.state.notUnderstood).toBeNull();
    expect(project.missing()).toEqual(["criterion-unproved"]);
  };
  plant({ type: "observation", seq: before }, past);
  plant({ type: "observation", seq: imported }, other);
  plant({ type: "command", command: CHECK, commandHash: theirs.hashOf(CHECK) }, other);
});

test("the newest evidence of a kind takes the place of the one before", () => {
  const project = verifiedProject();
  bound(project, `seq:${project.run(CHECK)}`);
  bound(project, `seq:${project.run(CHECK, FAILED)}`);
  expect(project.missing()).toEqual(["criterion-unproved"]);
});

test("a file that was looked at is evidence for a look, and goes stale with the file", () => {
  for (const reference of ["README.md", "path:README.md"]) {
    const project = started(aReading());
    expect(project.gate()).toMatchObject({
      decision: "pending",
      missing: [{ code: "criterion-unproved", message: expect.stringContaining("read-evidence") }],
    });
    expect(project.bind(FIRST, "read-evidence", reference).refusal).toBeNull();
    expect(project.gate().decision).toBe("pass");
    project.write("README.md", "another");
    expect(project.missing()).toContain("criterion-unproved");
    project.remove("README.md");
    expect(project.missing()).toContain("criterion-unproved");
    project.write("README.md", "read me");
    expect(project.gate().decision).toBe("pass");
  }
});

test("the evidence of one run is none of the next", () => {
  const project = started(aReading({ taskId: "look" }));
  project.bind(FIRST, "read-evidence", "README.md");
  project.conclude("partial", { reason: "more to see" });
  project.start(aReading({ taskId: "look" }));
  expect(project.gate().decision).toBe("pending");
});

test("binding evidence moves the version of the run", () => {
  const project = verifiedProject();
  const { version } = project.own().task;
  bound(project, `command:${VERIFIER}`);
  expect(project.own().task.version).toBeGreaterThan(version);
});

test("a binding repeats the observation without its output", () => {
  const project = verifiedProject();
  bound(project, `seq:${project.run(CHECK)}`);
  const body = project.events.at(-1)?.body;
  expect(body).toMatchObject({ observation: { command: CHECK, verdict: "pass" } });
  expect(body).not.toHaveProperty("observation.output");
});

const refusals: readonly {
  readonly why: string;
  readonly bind: (project: Project) => Refusal | null;
  readonly code: string;
}[] = [
  {
    why: "a criterion that is not there",
    bind: (it) => it.bind("criterion-09", "behavioral-check", `command:${VERIFIER}`).refusal,
    code: "evidence/criterion-unknown",
  },
  {
    why: "a kind that the criterion does not ask for",
    bind: (it) => it.bind(FIRST, "read-evidence", "README.md").refusal,
    code: "evidence/kind-not-asked",
  },
  {
    why: "a diff, which only the runtime sees",
    bind: (it) => it.bind("criterion-03", "scoped-diff", "seq:1").refusal,
    code: "evidence/kind-by-runtime",
  },
  {
    why: "a file as a behavioral check",
    bind: (it) => bound(it, "path:README.md"),
    code: "evidence/reference-invalid",
  },
  {
    why: "an event that is no observed command",
    bind: (it) => bound(it, "seq:1"),
    code: "evidence/observation-unknown",
  },
  {
    why: "an event that is not there",
    bind: (it) => bound(it, "seq:9999"),
    code: "evidence/observation-unknown",
  },
  ...["seq:", "seq:-1", "seq:1.5", "seq:x", "seq: 1"].map((reference) => ({
    why: `the reference ${reference}`,
    bind: (it: Project) => bound(it, reference),
    code: "evidence/observation-unknown",
  })),
  {
    why: "a command that was never seen",
    bind: (it) => bound(it, "command:npm run nothing"),
    code: "evidence/observation-unknown",
  },
  ...["echo ok", "true", "cat src/cart.js", "ls"].map((command) => ({
    why: `a command that checks nothing: ${command}`,
    bind: (it: Project) => bound(it, `seq:${it.run(command)}`),
    code: "evidence/not-a-check",
  })),
  {
    why: "a command with a secret",
    bind: (it) => bound(it, `seq:${it.run("API_KEY=correct-horse-battery node check.js")}`),
    code: "evidence/not-a-check",
  },
  {
    why: "another session's run",
    bind: (it) =>
      it.bind(FIRST, "behavioral-check", `command:${VERIFIER}`, { session: BOB }).refusal,
    code: "contract/not-owner",
  },
];

test.each(refusals)("evidence is refused for $why", ({ bind, code }) => {
  const project = started(
    aDraft({ acceptanceCriteria: [BEHAVIOR, VERIFIED, "only changed files in scope"] }),
  );
  project.run();
  const version = project.own().task.version;
  const refusal = bind(project);
  expect(refusal?.code).toBe(code);
  expect(refusal?.remedy).not.toBe("");
  expect(project.own().task.version).toBe(version);
});

test("a file that is not there or can't be read is refused as evidence", () => {
  const project = started(aReading());
  for (const reference of ["nowhere.md", "constructor", "__proto__"]) {
    const { refusal } = project.bind(FIRST, "read-evidence", reference);
    expect(refusal?.code, reference).toBe("evidence/file-unreadable");
  }
  for (const reference of ["path:", "path:../README.md", "/etc/passwd", ".git/HEAD"]) {
    const { refusal } = project.bind(FIRST, "read-evidence", reference);
    expect(refusal?.code, reference).toBe("evidence/reference-invalid");
  }
  const unread = { ...project.tree(), files: { "README.md": null } };
  const command = {
    type: "bindEvidence",
    criterion: FIRST,
    kind: "read-evidence",
    reference: "README.md",
  } as const;
  for (const tree of [unread, aTree(), null]) {
    expect(decide(project.state, command, facts({ tree })).refusal?.code).toBe(
      "evidence/file-unreadable",
    );
  }
});

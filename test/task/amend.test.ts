import fc from "fast-check";
import { expect, test } from "vitest";
import { compileCriteria } from "../../src/criteria/index.ts";
import type { Command, ProposeCriteria } from "../../src/task/index.ts";
import { acts, play } from "./commands.ts";
import { aDraft, BEHAVIOR, BOB, PASSED, sha256, VERIFIED } from "./makers.ts";
import { type Project, started } from "./project.ts";

const NAMES = "the cart rejects empty names";
const PAGE = "the page loads";

type Asked = Pick<ProposeCriteria, "acceptanceCriteria"> & Partial<ProposeCriteria>;

const proposed = (asked: Asked): Command => ({
  type: "proposeCriteria",
  reason: "It was asked for otherwise.",
  ...asked,
});

const accepted = (amendment: string): Command => ({
  type: "acceptCriteria",
  amendment,
  reason: "So be it.",
  by: "terminal",
});

function amended(project: Project, asked: Asked): void {
  project.accept(proposed(asked));
  project.accept(accepted(project.own().task.proposal?.amendment ?? ""));
}

/** C1, C2 and C3, with proof of the first two on the tree as it is. */
function shown(): Project {
  const project = started(aDraft({ acceptanceCriteria: [VERIFIED, NAMES, PAGE] }));
  project.write("src/cart.js", "v2");
  project.run();
  const check = project.run("node check.js");
  project.bind("criterion-02", "behavioral-check", `seq:${check}`);
  return project;
}

const ids = (project: Project) => project.own().task.contract.criteria.map(({ id }) => id);

test("FR-057: an agent's amendment changes nothing until a person accepts it", () => {
  const project = shown();
  const before = project.own();
  project.accept(
    proposed({
      acceptanceCriteria: [VERIFIED, { id: "criterion-02", text: "the cart handles names" }],
    }),
  );
  expect(project.own()).toMatchObject({
    graph: before.graph,
    task: { contract: before.task.contract },
  });
  const first = project.gate();
  expect(first.missing).toMatchObject([{ message: expect.stringContaining(PAGE) }]);
  expect(first.warnings).toEqual([
    expect.stringMatching(
      /^proposed: amendment-01 \(criterion-03 removed; criterion-02 changed\) .* changes nothing yet\.$/,
    ),
  ]);

  const [event] = project.accept(accepted("amendment-01"));
  const second = project.gate();
  expect(second.decision).toBe("pending");
  expect(second.missing.map(({ message }) => message)).toEqual([
    expect.stringContaining('criterion-02 ("the cart handles names") lacks a behavioral-check'),
    expect.stringContaining("did not run since"),
  ]);
  expect(second.warnings).toEqual([
    `amended: criterion-03 removed; criterion-02 changed, by terminal at event ${event?.header.seq}: So be it.`,
  ]);
  project.run();
  const check = project.run("node check.js");
  project.bind("criterion-02", "behavioral-check", `seq:${check}`);
  expect(project.gate().decision).toBe("pass");
});

test("what was seen before a criterion was put in other words can't be named for it again", () => {
  const project = started(aDraft({ acceptanceCriteria: [NAMES] }));
  project.write("src/cart.js", "v2");
  const check = project.run("node check.js");
  amended(project, {
    acceptanceCriteria: [{ id: "criterion-01", text: "the cart handles names" }],
  });
  project.run();
  project.bind("criterion-01", "behavioral-check", `seq:${check}`);
  expect(project.missing()).toEqual(["criterion-unproved"]);
  project.bind("criterion-01", "behavioral-check", "command:node check.js");
  expect(project.missing()).toEqual(["criterion-unproved"]);
  project.run("node check.js");
  expect(project.missing()).toEqual([]);
});

test("proof and judgements of what was not changed go on counting", () => {
  const project = started(
    aDraft({ acceptanceCriteria: [VERIFIED, { text: "it reads well", kind: "human" }] }),
  );
  project.write("src/cart.js", "v2");
  project.run();
  project.judge("criterion-02", "approved");
  amended(project, { acceptanceCriteria: [{ id: "criterion-02" }, { id: "criterion-01" }] });
  expect(project.gate().decision).toBe("pass");
});

test("a criterion that a person judges has to be judged anew in other words", () => {
  const project = started(
    aDraft({ acceptanceCriteria: [VERIFIED, { text: "it reads well", kind: "human" }] }),
  );
  project.run();
  project.judge("criterion-02", "waived");
  amended(project, {
    acceptanceCriteria: [VERIFIED, { id: "criterion-02", text: "it reads very well" }],
  });
  expect(project.missing()).toEqual(["criterion-needs-person"]);
});

test("a verifier counts for changed words only where it ran since", () => {
  const project = started(aDraft({ acceptanceCriteria: [VERIFIED] }));
  project.write("src/cart.js", "v2");
  project.run();
  amended(project, {
    acceptanceCriteria: [{ id: "criterion-01", text: "all tests and the build pass" }],
  });
  expect(project.gate().missing).toMatchObject([
    { code: "criterion-unproved", command: "holdfast verify" },
  ]);
  project.run();
  expect(project.gate().decision).toBe("pass");
});

test("what began before an amendment shows nothing of what is asked for since", () => {
  const project = started(aDraft({ acceptanceCriteria: [NAMES] }));
  project.write("src/cart.js", "v2");
  const amend = () =>
    amended(project, {
      acceptanceCriteria: [{ id: "criterion-01", text: "the cart handles names" }],
    });
  const seq = project.run("npm test", PASSED, {}, amend);
  expect(project.standing()).toMatchObject({
    currency: "inconclusive",
    seq,
    reason: "amended-meanwhile",
  });
  project.run();
  expect(project.standing().currency).toBe("current");
});

test("an id is never given to another criterion", () => {
  const project = shown();
  amended(project, { acceptanceCriteria: [VERIFIED, PAGE] });
  expect(ids(project)).toEqual(["criterion-01", "criterion-03"]);
  amended(project, { acceptanceCriteria: [VERIFIED, NAMES] });
  expect(ids(project)).toEqual(["criterion-01", "criterion-04"]);
  amended(project, { acceptanceCriteria: [VERIFIED, PAGE] });
  expect(ids(project)).toEqual(["criterion-01", "criterion-05"]);
});

test("two criteria with equal text stay two", () => {
  const project = started(aDraft({ acceptanceCriteria: [NAMES, NAMES] }));
  amended(project, { acceptanceCriteria: [NAMES, NAMES, NAMES] });
  expect(ids(project)).toEqual(["criterion-01", "criterion-02", "criterion-03"]);
});

test("a later proposal takes the place of an earlier one, which nobody can accept any more", () => {
  const project = shown();
  project.accept(proposed({ acceptanceCriteria: [VERIFIED] }));
  project.accept(proposed({ acceptanceCriteria: [VERIFIED, NAMES] }), { session: BOB });
  expect(project.dispatch(accepted("amendment-01")).refusal).toMatchObject({
    code: "contract/amendment-unknown",
    remedy: expect.stringContaining("holdfast criterion accept amendment-02"),
  });
  project.accept(accepted("amendment-02"));
  expect(project.refusal(accepted("amendment-02"))).toBe("contract/amendment-unknown");
});

test("a person's word is about the very proposal that they were shown", () => {
  const project = shown();
  const [event] = project.accept(proposed({ acceptanceCriteria: [VERIFIED] }));
  const seq = event?.header.seq ?? 0;
  const word = accepted("amendment-01") as object;
  expect(project.refusal({ ...word, proposed: seq - 1 } as Command)).toBe(
    "contract/amendment-unknown",
  );
  project.accept({ ...word, proposed: seq } as Command);
});

test("only the session that owns a run has an amendment of it accepted", () => {
  const project = shown();
  project.accept(proposed({ acceptanceCriteria: [VERIFIED] }));
  expect(project.dispatch(accepted("amendment-01"), { session: BOB }).refusal?.code).toBe(
    "contract/not-owner",
  );
});

test.each([
  [
    "what is asked for already",
    { acceptanceCriteria: [VERIFIED, NAMES, PAGE] },
    "contract/invalid",
  ],
  ["an unknown id", { acceptanceCriteria: [{ id: "criterion-09" }] }, "contract/invalid"],
  [
    "an id twice",
    { acceptanceCriteria: [{ id: "criterion-01" }, { id: "criterion-01" }] },
    "contract/invalid",
  ],
  ["an empty text", { acceptanceCriteria: [" "] }, "contract/invalid"],
  [
    "a scope that leads out",
    { acceptanceCriteria: [VERIFIED], scope: ["../x"] },
    "contract/scope-invalid",
  ],
] as const)("a proposal of %s is refused", (_, asked, code) => {
  const project = shown();
  expect(project.refusal(proposed(structuredClone(asked) as unknown as Asked))).toBe(code);
  expect(project.own().task.proposal).toBeNull();
});

test("another scope counts from where it was accepted, and the next attempt is held to it", () => {
  const project = shown();
  project.write("README.md", "v2");
  expect(project.missing()).toContain("out-of-scope");
  amended(project, { acceptanceCriteria: [VERIFIED], scope: ["src/**", "README.md"] });
  project.run();
  expect(project.gate().decision).toBe("pass");
  project.conclude("failed", { reason: "found another fault", failedAt: "verify" });
  project.accept({ type: "retryTask" });
  const { contract } = project.own().task;
  expect(contract).toMatchObject({ scope: ["src/**", "README.md"], attempt: 2 });
  expect(ids(project)).toEqual(["criterion-01"]);
});

test("whatever was accepted, the pinned graph is that of the criteria the run is held to", () => {
  fc.assert(
    fc.property(acts, (history) => {
      for (const { task, graph } of Object.values(play(history).state.runs)) {
        expect(graph).toEqual(compileCriteria(task.contract, sha256));
        const held = task.contract.criteria.map(({ id }) => id);
        expect(new Set(held).size).toBe(held.length);
      }
    }),
    { numRuns: 100 },
  );
});

test("after the text of an accepted amendment was shed nobody knows what the run is held to, or changes it", () => {
  const project = shown();
  project.accept(proposed({ acceptanceCriteria: [VERIFIED, BEHAVIOR] }));
  const { run } = project.own().task.contract;
  project.plant("criteria.amended", null, run);
  expect(project.own()).toMatchObject({ graph: null, shed: true, task: { proposal: null } });
  expect(project.resume().decision).toBe("blocked");
  expect(project.refusal(proposed({ acceptanceCriteria: [VERIFIED] }))).toBe("contract/text-shed");
  expect(project.refusal(accepted("amendment-01"))).toBe("contract/text-shed");
});

test("a run is amended at most as often as is kept of it", () => {
  const project = started(aDraft({ acceptanceCriteria: [VERIFIED] }));
  for (let count = 1; count <= 32; count++) {
    amended(project, { acceptanceCriteria: [{ id: "criterion-01", text: `wording ${count}` }] });
  }
  expect(project.refusal(proposed({ acceptanceCriteria: [VERIFIED] }))).toBe(
    "contract/amendments-used",
  );
});

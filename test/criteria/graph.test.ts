import fc from "fast-check";
import { expect, test } from "vitest";
import type { Contract, TaskDraft } from "../../src/contract/index.ts";
import {
  type CriterionGraph,
  compileCriteria,
  isCriteriaPinned,
} from "../../src/criteria/index.ts";
import { canonicalText, portableSha256 } from "../../src/journal/index.ts";
import { decide, initialState } from "../../src/task/index.ts";
import { aDraft, aReading, deepFrozen, facts, SWITCHES, sha256 } from "../task/makers.ts";
import { Project, started, startOf } from "../task/project.ts";

function graphOf(draft: TaskDraft): CriterionGraph {
  const { graph } = started(draft).own();
  if (graph === null) throw new Error("No graph was pinned.");
  return graph;
}

const graphOfTexts = (...acceptanceCriteria: string[]) => graphOf(aDraft({ acceptanceCriteria }));

/** Which nodes each node waits for, by their numbers. */
function edges({ nodes }: CriterionGraph): readonly string[] {
  return nodes.map(({ id, dependsOn }) =>
    [id, ...dependsOn].map((name) => name.slice("criterion-".length)).join(" < "),
  );
}

test("each criterion becomes exactly one node, word for word and in order", () => {
  const graph = graphOfTexts("first thing", "second thing", "first thing");
  expect(
    graph.nodes.map(({ id, criterionIndex, obligation }) => [id, criterionIndex, obligation]),
  ).toEqual([
    ["criterion-01", 0, "first thing"],
    ["criterion-02", 1, "second thing"],
    ["criterion-03", 2, "first thing"],
  ]);
  expect(graph.order).toEqual(["criterion-01", "criterion-02", "criterion-03"]);
});

test("a node says nothing of whether it holds", () => {
  const { nodes } = graphOfTexts("first thing");
  expect(Object.keys(nodes[0] ?? {}).toSorted()).toEqual([
    "criterionIndex",
    "dependsOn",
    "id",
    "kind",
    "obligation",
    "proofKinds",
    "targetHints",
  ]);
});

test("a pinned graph that claims to be satisfied is no graph", () => {
  const graph = graphOfTexts("first thing");
  expect(isCriteriaPinned({ graph })).toBe(true);
  const nodes = graph.nodes.map((node) => ({ ...node, satisfied: true }));
  expect(isCriteriaPinned({ graph: { ...graph, nodes } })).toBe(false);
  const project = new Project();
  project.plant("criteria.pinned", { graph: { ...graph, nodes } } as never);
  expect(project.state.notUnderstood).toMatchObject({ seq: 1, why: "unknown-shape" });
});

test("a label lets later criteria wait for an earlier one", () => {
  const graph = graphOfTexts(
    "[Guard] zero is turned down",
    "the total is right, depends on Guard",
    "the page shows it after [guard]",
    "nothing to do with a guardian",
  );
  expect(edges(graph)).toEqual(["01", "02 < 01", "03 < 01", "04"]);
});

test("references forward, to itself, to no label or to the beginning of one lead nowhere", () => {
  const graph = graphOfTexts(
    "[One] after Two",
    "[Two] after Two",
    "depends on Three",
    "after Onesie",
    "only one mention",
  );
  expect(edges(graph)).toEqual(["01", "02", "03", "04", "05"]);
});

test("a reference in brackets may lead forward, and the order follows it", () => {
  const graph = graphOfTexts(
    "the page shows it, depends on [Guard]",
    "something else",
    "[Guard] zero is turned down",
    "all tests pass",
  );
  expect(edges(graph)).toEqual(["01 < 03", "02", "03", "04 < 01 < 02 < 03"]);
  expect(graph.order).toEqual(["criterion-02", "criterion-03", "criterion-01", "criterion-04"]);
});

test.each([
  [["one, depends on [Guard]"], "criterion-01 refers to [Guard], and no criterion has this label."],
  [
    ["[Guard] one", "[guard] two", "three after [Guard]"],
    "criterion-03 refers to [Guard], which is the label of criterion-01 and criterion-02.",
  ],
  [["[One] waits, depends on [One]"], "criterion-01 waits for itself."],
  [
    ["nothing", "[One] after [Two]", "[Two] depends on [One]", "last, after [Two]"],
    "criterion-02, criterion-03 wait for each other.",
  ],
  [["one depends on [Check]", "[Check] all tests pass"], "criterion-01, criterion-02 wait"],
])("%j are refused with the names", (acceptanceCriteria, message) => {
  const { refusal } = decide(initialState, startOf(aDraft({ acceptanceCriteria })), facts());
  expect(refusal).toMatchObject({
    code: "contract/criteria-invalid",
    message: expect.stringContaining(message),
  });
});

test("a graph of the first compiler is taken as it was pinned", () => {
  const project = new Project();
  const draft = aDraft({ acceptanceCriteria: ["[A] one after [B]", "[B] two"] });
  for (const { type, body, run } of project.dispatch(startOf(draft)).events) {
    expect([type, run]).not.toContain("");
    if (type !== "criteria.pinned") continue;
    const { graph } = body as unknown as { readonly graph: CriterionGraph };
    const nodes = graph.nodes.map((node) => ({ ...node, dependsOn: [] }));
    const order = nodes.map(({ id }) => id);
    const first = { ...graph, compiler: "criterion-graph-v1", nodes, order } as const;
    project.plant("criteria.pinned", { graph: first } as never, run);
  }
  expect(project.own().graph?.compiler).toBe("criterion-graph-v1");
  expect(project.resume()).toMatchObject({ decision: "resume", safe: true });
});

test("criteria that are proposed are held to the same", () => {
  const project = started(aDraft());
  expect(
    project.refusal({
      type: "proposeCriteria",
      acceptanceCriteria: ["it holds, depends on [Guard]"],
      reason: "more is asked for",
    }),
  ).toBe("contract/criteria-invalid");
});

test("a label of the draft's own is a label like one in the text", () => {
  const graph = graphOf(
    aDraft({ acceptanceCriteria: [{ text: "zero", label: "Guard" }, "after Guard: one"] }),
  );
  expect(edges(graph)).toEqual(["01", "02 < 01"]);
});

test("a verification waits for all before it", () => {
  expect(edges(graphOfTexts("one", "two", "all tests pass", "four", "lint is clean"))).toEqual([
    "01",
    "02",
    "03 < 01 < 02",
    "04",
    "05 < 01 < 02 < 03 < 04",
  ]);
});

test("a criterion points to the scope entries that it names, else to the first four", () => {
  const scope = ["src/cart.js", "src/total.js", "lib/a.b", "docs/**", "test/**", "x/ab.js"];
  const hints = (text: string) =>
    graphOf(aDraft({ scope, acceptanceCriteria: [text] })).nodes[0]?.targetHints;
  expect(hints("src/cart.js counts")).toEqual(["src/cart.js"]);
  expect(hints("total.js adds up what cart.js holds")).toEqual(["src/cart.js", "src/total.js"]);
  expect(hints("the cart counts")).toEqual(["src/cart.js"]);
  // A base name of three characters counts, a stem of two or three does not.
  expect(hints("a.b is read")).toEqual(["lib/a.b"]);
  expect(hints("able to count")).toEqual(scope.slice(0, 4));
  expect(hints("something else")).toEqual(scope.slice(0, 4));
  expect(hints("docs/** and test/** and src/cart.js and src/total.js and lib/a.b")).toHaveLength(4);
});

test("the digests follow from the definition", () => {
  const draft = aDraft({ acceptanceCriteria: ["one", "all tests pass"] });
  const { graphDigest, ...graph } = graphOf(draft);
  const { acceptanceCriteria, scope = [], verifyCommands = [] } = draft;
  const contract = { acceptanceCriteria, scope, verifyCommands, changeMode: "source-change" };
  expect(graph.criterionDigest).toBe(
    sha256(`criterion-contract-v1\0${canonicalText(contract as never)}`),
  );
  expect(graphDigest).toBe(sha256(`criterion-graph-v1\0${canonicalText(graph as never)}`));
});

test("the digests do not depend on when, by whom or for which run the task was started", () => {
  const draft = aDraft({ acceptanceCriteria: ["one", "two"] });
  const later = new Project({ "src/other.js": "x" });
  later.run("ls");
  later.start({ ...draft, taskId: "later", riskLane: "tiny" }, { session: sha256("else") });
  const { graph } = later.own(sha256("else"));
  expect(graph).toEqual(graphOf(draft));
});

/** The same value, with the fields of each object in it written in another order. */
function rewritten(value: unknown, order: Iterator<number>): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((part) => rewritten(part, order));
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, part]) => ({ at: order.next().value, field: [name, rewritten(part, order)] }))
      .toSorted((a, b) => a.at - b.at)
      .map(({ field }) => field),
  );
}

test("the digests do not depend on the order in which fields were written", () => {
  const acceptanceCriteria = ["[Guard] zero is turned down", "after Guard", "all tests pass"];
  const { contract } = started(aDraft({ acceptanceCriteria })).own().task;
  const graph = compileCriteria(contract, sha256);
  const orders = new Set<string>();
  fc.assert(
    fc.property(fc.infiniteStream(fc.nat()), (order) => {
      const other = rewritten(contract, order) as Contract;
      orders.add(JSON.stringify(other));
      expect(other).toEqual(contract);
      expect(compileCriteria(other, sha256)).toEqual(graph);
    }),
    { numRuns: 100 },
  );
  expect(orders.size).toBeGreaterThan(90);
});

test("the order of what was agreed on is part of it: paths, commands and criteria", () => {
  const draft = aDraft({
    scope: ["src/**", "test/**"],
    verifyCommands: ["npm test", "npm run lint"],
    acceptanceCriteria: ["one", "two"],
  });
  const digests = (["scope", "verifyCommands", "acceptanceCriteria"] as const).map(
    (list) => graphOf({ ...draft, [list]: draft[list]?.toReversed() }).graphDigest,
  );
  expect(new Set([graphOf(draft).graphDigest, ...digests]).size).toBe(4);
});

test("each thing that the graph is made of changes the digests", () => {
  const draft = aDraft({ acceptanceCriteria: ["one", "two"] });
  const others: readonly TaskDraft[] = [
    { ...draft, acceptanceCriteria: ["two", "one"] },
    { ...draft, acceptanceCriteria: ["one", "two!"] },
    { ...draft, scope: ["src/**"] },
    { ...draft, verifyCommands: ["npm test -- --all"] },
    aReading({ acceptanceCriteria: ["one", "two"] }),
  ];
  const digests = [draft, ...others].map((each) => graphOf(each).criterionDigest);
  expect(new Set(digests).size).toBe(digests.length);
  const graphs = [draft, ...others].map((each) => graphOf(each).graphDigest);
  expect(new Set(graphs).size).toBe(graphs.length);
});

test("in mechanical mode nodes carry no hints, and the graph has another digest", () => {
  const draft = aDraft({ acceptanceCriteria: ["[A] src one", "after A", "all tests pass"] });
  const switches = { ...SWITCHES, intelligenceEngine: "off" } as const;
  const [, pinned] = decide(initialState, startOf(draft), facts({ switches })).events;
  if (pinned?.type !== "criteria.pinned") throw new Error("No graph was pinned.");
  const usual = graphOf(draft);
  const { graph } = pinned.body;
  expect(graph.mode).toBe("mechanical");
  expect(graph.nodes).toEqual(usual.nodes.map((node) => ({ ...node, targetHints: [] })));
  expect(graph.criterionDigest).toBe(usual.criterionDigest);
  expect(graph.graphDigest).not.toBe(usual.graphDigest);
});

test("any criteria make a graph whose dependencies come earlier and whose hints lie in scope", () => {
  const word = fc.constantFrom("after", "depends on", "A", "[A]", "B", "[B]", "tests pass", "src");
  const texts = fc.array(
    fc.array(word, { minLength: 1, maxLength: 5 }).map((words) => words.join(" ")),
    { minLength: 1, maxLength: 12 },
  );
  fc.assert(
    fc.property(texts, (acceptanceCriteria) => {
      const project = new Project();
      const { refusal } = project.dispatch(startOf(aDraft({ acceptanceCriteria })));
      if (refusal !== null) {
        expect(refusal.code).toBe("contract/criteria-invalid");
        return;
      }
      const { contract } = project.own().task;
      const graph = compileCriteria(deepFrozen(contract), portableSha256);
      expect(graph).toEqual(compileCriteria(contract, sha256));
      expect(graph.nodes).toHaveLength(acceptanceCriteria.length);
      expect(graph.order.toSorted()).toEqual(graph.nodes.map(({ id }) => id));
      for (const { id, dependsOn, targetHints } of graph.nodes) {
        const earlier = graph.order.slice(0, graph.order.indexOf(id));
        expect(dependsOn.filter((id) => !earlier.includes(id))).toEqual([]);
        expect(new Set(dependsOn).size).toBe(dependsOn.length);
        expect(targetHints.filter((hint) => !contract.scope.includes(hint))).toEqual([]);
      }
    }),
    { numRuns: 300 },
  );
});

import { expect, test } from "vitest";
import { aDraft, aReading } from "../task/makers.ts";
import { started } from "../task/project.ts";

const CHECKED = ["behavioral-check", "exact-verifier"];

const rules = [
  {
    kind: "scope",
    proofKinds: ["scoped-diff", "exact-verifier"],
    texts: [
      "stays in scope",
      "nothing out-of-scope is touched",
      "no unrelated files are edited",
      "only changes the cart",
      "the changed files are listed",
      // The first rule that matches decides, so scope goes before verification.
      "tests pass and unrelated files stay",
    ],
  },
  {
    kind: "verification",
    proofKinds: ["exact-verifier"],
    texts: [
      "the verifier is green",
      "verify the whole suite",
      "tests pass",
      "all existing tests still pass",
      "the test suite passes",
      "typecheck is clean",
      "type-checks",
      "lint is clean",
      "the build passes",
      "the exact command succeeds",
      "tests pass for invalid input",
    ],
  },
  {
    kind: "boundary",
    proofKinds: CHECKED,
    texts: [
      "invalid quantities are turned down",
      "malformed JSON is told",
      "rejects zero",
      "addItem(0) throws RangeError",
      "an error names the item",
      "a failure is logged",
      "negative numbers",
      "fractional amounts",
      "null is no item",
      "undefined is no item",
      "empty input gives nothing",
      "throws for a bad response",
    ],
  },
  {
    kind: "output",
    proofKinds: CHECKED,
    texts: [
      "the output has a total",
      "addItem returns the cart",
      "the page renders",
      "prices are in one format",
      "serializes dates",
      "the response is cached",
      "results are sorted",
    ],
  },
  {
    kind: "behavior",
    proofKinds: CHECKED,
    texts: ["addItem counts quantities", "the cart remembers", "latest wins", "formerly slow"],
  },
] as const;

const table = rules.flatMap(({ kind, proofKinds, texts }) =>
  texts.map((text) => ({ kind, proofKinds, text })),
);

test.each(table)("the criterion $text is of kind $kind", ({ text, kind, proofKinds }) => {
  const { graph } = started(aDraft({ acceptanceCriteria: [text] })).own();
  expect(graph?.nodes[0]).toMatchObject({ kind, proofKinds });
  const shouted = started(aDraft({ acceptanceCriteria: [text.toUpperCase()] })).own();
  expect(shouted.graph?.nodes[0]?.kind).toBe(kind);
});

test("every criterion of a read-only task is an investigation, whatever its words", () => {
  const acceptanceCriteria = table.map(({ text }) => text).slice(0, 12);
  const { graph } = started(aReading({ acceptanceCriteria })).own();
  for (const { kind, proofKinds } of graph?.nodes ?? []) {
    expect({ kind, proofKinds }).toEqual({
      kind: "investigation",
      proofKinds: ["read-evidence"],
    });
  }
});

import fc from "fast-check";
import { expect, test } from "vitest";
import { entryCovers, isNarrower } from "../../src/contract/index.ts";
import type { NarrowScope } from "../../src/task/index.ts";
import { ADA, aDraft, BOB, FAILED } from "./makers.ts";
import { type Project, started } from "./project.ts";

const FILES = { "src/cart.js": "v1", "docs/a.md": "v1", "docs/more/b.md": "v1" };
const begun = () => started(aDraft({ scope: ["src/**", "docs/*.md"] }), FILES);

const narrow = (project: Project, to: Partial<NarrowScope>, session = ADA) =>
  project.dispatch({ type: "narrowScope", reason: "It is about the cart.", ...to }, { session });

test("a scope is narrowed before anything is changed, and the graph is pinned anew", () => {
  const project = begun();
  const before = project.own().graph?.graphDigest;
  const { events } = narrow(project, {
    scope: ["src/cart.js", "docs/a.md"],
    outOfScope: ["src/billing/**"],
    protectedPaths: [".env*"],
  });
  expect(events).toMatchObject([
    { type: "scope.narrowed", body: { reason: "It is about the cart." } },
  ]);
  expect(project.own().task.contract).toMatchObject({
    scope: ["src/cart.js", "docs/a.md"],
    outOfScope: ["src/billing/**"],
    protectedPaths: [".env*"],
  });
  expect(project.own().graph?.graphDigest).not.toBe(before);
  expect(project.resume().decision).toBe("resume");
  project.write("src/other.js", "v1");
  expect(project.missing()).toContain("out-of-scope");
});

test("what is not said stays, and what is left out goes on being left out", () => {
  const project = started(aDraft({ scope: ["src/**"], outOfScope: ["src/old/**"] }));
  narrow(project, { outOfScope: ["src/older/**"] });
  expect(project.own().task.contract).toMatchObject({
    scope: ["src/**"],
    outOfScope: ["src/old/**", "src/older/**"],
  });
});

test.each([
  ["**"],
  ["docs/**"],
  ["src"],
  ["lib/cart.js"],
  ["docs/*/x.md"],
  ["docs/more"],
  ["docs/new.md"],
  ["src*/**"],
])("%s is not within the scope, so nothing is narrowed to it", (entry) => {
  const project = started(aDraft({ scope: ["src/cart/**", "docs/*.md", "docs/*"] }), FILES);
  expect(narrow(project, { scope: [entry] }).refusal?.code).toBe("contract/scope-invalid");
});

test("after a change or a verify command the scope stays as it is", () => {
  const changed = begun();
  changed.write("src/cart.js", "v2");
  expect(narrow(changed, { scope: ["src/cart.js"] }).refusal?.code).toBe("contract/scope-fixed");
  const verified = begun();
  verified.run("npm test", FAILED);
  expect(narrow(verified, { scope: ["src/cart.js"] }).refusal?.code).toBe("contract/scope-fixed");
  const unseen = begun();
  unseen.unavailable = ["src/cart.js"];
  expect(narrow(unseen, { scope: ["src/cart.js"] }).refusal?.code).toBe("contract/scope-fixed");
});

test("only its owner narrows the scope of a run, and not to what it is already", () => {
  expect(narrow(begun(), { scope: ["src/**"] }, BOB).refusal?.code).toBe("contract/not-owner");
  expect(narrow(begun(), { scope: ["src/**", "docs/*.md"] }).refusal?.code).toBe(
    "contract/invalid",
  );
  expect(narrow(begun(), { outOfScope: ["../x"] }).refusal?.code).toBe("contract/scope-invalid");
});

test("an entry that is narrower covers nothing else, whatever the patterns", () => {
  const aSegment = fc.constantFrom("a", "b", "*", "**", "a*", "?", "[ab]", "@(a|b)");
  const anEntry = fc.array(aSegment, { minLength: 1, maxLength: 3 }).map((it) => it.join("/"));
  const aPath = fc
    .array(fc.constantFrom("a", "b", "ab", "c"), { minLength: 1, maxLength: 4 })
    .map((it) => it.join("/"));
  fc.assert(
    fc.property(
      anEntry,
      fc.array(anEntry, { minLength: 1, maxLength: 3 }),
      aPath,
      (entry, others, path) => {
        if (!isNarrower(entry, others, () => false) || !entryCovers(entry, path)) return;
        expect(others.some((other) => entryCovers(other, path))).toBe(true);
      },
    ),
    { numRuns: 20_000 },
  );
});

test("what may stand for other characters is a pattern, also where a matcher sees none", () => {
  for (const [scope, entry] of [
    ["src/[a]", "src/[a]/**"],
    ["sr[c]/**", "sr[c]/a/**"],
  ] as const) {
    const project = started(aDraft({ scope: [scope] }));
    expect(narrow(project, { scope: [entry] }).refusal?.code, entry).toBe("contract/scope-invalid");
  }
});

test("the name of a file alone is protected as that file, wherever it is", () => {
  const project = started(aDraft({ scope: ["**"] }), FILES);
  narrow(project, { protectedPaths: ["cart.js"] });
  expect(project.own().task.contract.protectedPaths).toEqual(["cart.js", "src/cart.js"]);
  project.write("src/cart.js", "v2");
  expect(project.missing()).toContain("protected-changed");
});

test("paths are added only up to their limit", () => {
  const project = begun();
  const paths = (from: number) => Array.from({ length: 150 }, (_, index) => `p${from + index}`);
  expect(narrow(project, { protectedPaths: paths(0) }).refusal).toBeNull();
  expect(narrow(project, { protectedPaths: paths(150) }).refusal?.code).toBe(
    "contract/scope-invalid",
  );
});

test("after what a run was narrowed to was shed nobody knows what binds it", () => {
  const project = begun();
  project.plant("scope.narrowed", null, project.own().task.contract.run);
  expect(project.own()).toMatchObject({ graph: null, shed: true });
  expect(project.resume().decision).toBe("blocked");
});

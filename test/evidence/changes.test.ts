import fc from "fast-check";
import { expect, test } from "vitest";
import { changedPaths } from "../../src/evidence/index.ts";
import { aDraft, aReading, VERIFIER } from "../task/makers.ts";
import { Project, started } from "../task/project.ts";

const changed = (project: Project) => project.gate().changed.paths;

test("a file that was dirty before the start counts only if it changed again", () => {
  const project = new Project();
  project.write("README.md", "dirty before");
  project.start(aDraft());
  project.write("src/cart.js", "v2");
  project.write("src/total.js", "new");
  project.remove("src/total.js");
  expect(changed(project)).toEqual(["src/cart.js"]);
  expect(project.missing()).not.toContain("out-of-scope");
  project.write("README.md", "dirty again");
  expect(changed(project)).toEqual(["README.md", "src/cart.js"]);
  expect(project.missing()).toContain("out-of-scope");
});

test("a dirty file whose name could stand before a secret is a file like any other", () => {
  const project = new Project();
  for (const path of ["token", "config/password", "API_KEY", "secrets/credentials"]) {
    project.write(path, "dirty before");
  }
  project.start(aDraft());
  expect(changed(project)).toEqual([]);
  project.write("src/cart.js", "v2");
  project.run();
  expect(project.gate().decision).toBe("pass");
});

test("a file that was edited and put back is no change", () => {
  const project = started(aDraft());
  project.write("README.md", "changed");
  expect(project.missing()).toContain("out-of-scope");
  project.write("README.md", "read me");
  expect(changed(project)).toEqual([]);
  expect(project.missing()).not.toContain("out-of-scope");
});

test("a deletion is a change, and putting the file back undoes it", () => {
  const project = started(aDraft());
  project.remove("README.md");
  expect(changed(project)).toEqual(["README.md"]);
  project.write("README.md", "read me");
  expect(changed(project)).toEqual([]);
});

test("restoring a file that was deleted before the start is a change", () => {
  const project = new Project();
  project.remove("src/cart.js");
  project.start(aDraft());
  expect(changed(project)).toEqual([]);
  project.write("src/cart.js", "v1");
  expect(changed(project)).toEqual(["src/cart.js"]);
});

test("a change out of scope, excluded or protected fails the gate and is named", () => {
  const bounds = { outOfScope: ["src/billing/**"], protectedPaths: ["**/.env*"] };
  const paths = [
    ["lib/a.js", "out-of-scope"],
    ["README.md", "out-of-scope"],
    ["src/billing/a.js", "out-of-scope"],
    ["src/.env.local", "protected-changed"],
  ] as const;
  for (const [path, code] of paths) {
    const project = started(aDraft(bounds));
    project.write(path, "new");
    project.run();
    expect(project.gate()).toMatchObject({
      decision: "fail",
      missing: [{ code, by: "observed", message: expect.stringContaining(`: ${path}.`) }],
    });
  }
});

test("the scope is relative to the project folder, and all outside of it is out of scope", () => {
  const project = new Project();
  project.folder = "packages/shop";
  project.start(aDraft({ scope: ["src/**"] }));
  project.write("packages/shop/src/cart.js", "new");
  expect(project.missing()).not.toContain("out-of-scope");
  for (const path of ["src/cart.js", "packages/shop2/src/cart.js", "packages/shop/lib.js"]) {
    project.write(path, "new");
    expect(project.gate().missing[0]?.message).toContain(path);
    project.remove(path);
    project.write("src/cart.js", "v1");
  }
});

test("a scope of everything ends at the project folder", () => {
  const project = new Project();
  project.folder = "packages/shop";
  project.start(aDraft({ scope: ["**"] }));
  project.write("packages/shop/.env", "new");
  expect(project.missing()).not.toContain("out-of-scope");
  project.write("README.md", "changed");
  expect(project.missing()).toContain("out-of-scope");
});

test("a read-only task must leave everything as it was, in whatever scope", () => {
  const project = new Project();
  project.write("README.md", "dirty before");
  project.start(aReading({ scope: ["**"] }));
  project.bind("criterion-01", "read-evidence", "src/cart.js");
  expect(project.gate().decision).toBe("pass");
  project.write("notes.txt", "new");
  expect(project.gate()).toMatchObject({
    decision: "fail",
    missing: [{ code: "read-only-changed", message: expect.stringContaining("notes.txt") }],
  });
  project.remove("notes.txt");
  expect(project.gate().decision).toBe("pass");
});

test("a diff in scope proves a criterion on scope, and none or one beyond does not", () => {
  const project = started(aDraft({ acceptanceCriteria: ["no unrelated files change"] }));
  project.run();
  expect(project.gate().missing).toEqual([
    expect.objectContaining({ message: expect.stringContaining("scoped-diff") }),
  ]);
  project.write("src/cart.js", "v2");
  project.run();
  expect(project.gate().decision).toBe("pass");
  project.write("README.md", "changed");
  project.run();
  expect(project.missing()).toEqual(["out-of-scope", "criterion-unproved"]);
});

test("a source change that changed nothing may pass, and says so", () => {
  const project = started(aDraft());
  project.run();
  expect(project.gate()).toMatchObject({
    decision: "pass",
    warnings: [expect.stringContaining("no-change")],
  });
});

test("a tree that can't be read whole, or differs in too many files, keeps the gate open", () => {
  const project = started(aDraft());
  project.run();
  project.unavailable = ["src/a.js (unreadable)", "src/b.js (unreadable)"];
  expect(project.gate().missing[0]).toMatchObject({
    code: "tree-unavailable",
    message: expect.stringContaining("src/a.js (unreadable); src/b.js (unreadable)"),
    by: "agent",
  });
  project.unavailable = [];
  const tree = { ...project.tree(), dirtyTruncated: true };
  expect(project.missing({ facts: { tree } })).toEqual(["changes-too-many"]);
});

test("a baseline that is not whole is told", () => {
  const project = new Project();
  const tree = { ...project.tree(), dirtyTruncated: true };
  project.start(aDraft(), { facts: { tree } });
  expect(project.gate().warnings.join()).toContain("baseline-incomplete");
});

test("a long list of changes is cut, and its true length told", () => {
  const project = started(aDraft({ scope: ["src/**"] }));
  for (let file = 0; file < 60; file++) project.write(`lib/${file}.js`, "new");
  const gate = project.gate();
  expect(gate.changed.paths).toHaveLength(50);
  expect(gate.changed.count).toBe(60);
  expect(gate.missing[0]?.message).toContain("and 10 more");
});

test("paths with the names of an object's own parts are paths like any other", () => {
  const project = started(aDraft({ scope: ["src/**"] }));
  for (const path of ["__proto__", "constructor", "toString", "src/__proto__"]) {
    project.write(path, "new");
  }
  expect(changed(project)).toEqual(["__proto__", "constructor", "src/__proto__", "toString"]);
  project.run();
  expect(project.missing()).toEqual(["out-of-scope"]);
  project.write("__proto__", "newer");
  expect(project.standing()).toMatchObject({
    currency: "stale",
    changed: { paths: ["__proto__"] },
  });
  expect(project.missing()).toEqual(["out-of-scope", "verifier-stale"]);
  expect(project.standing().command).toBe(VERIFIER);
});

test("what changed is where two lists differ, in order, and nothing between equal ones", () => {
  const path = fc.constantFrom("a", "b", "__proto__", "constructor", "src/a");
  const entries = fc
    .array(fc.tuple(path, fc.constantFrom("x", "y", null)))
    .map((pairs) => Object.fromEntries(pairs));
  fc.assert(
    fc.property(entries, entries, (before, after) => {
      expect(changedPaths(before, before)).toEqual([]);
      expect(changedPaths(before, after)).toEqual(changedPaths(after, before));
      const [had, has] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
      const expected = [...new Set([...had.keys(), ...has.keys()])]
        .filter((each) => had.get(each) !== has.get(each))
        .toSorted();
      expect(changedPaths(before, after)).toEqual(expected);
    }),
  );
});

test("a name that is not UTF-8 does not slip past the bounds", () => {
  const project = started(aDraft({ scope: ["**"], outOfScope: ["src/billing/**"] }));
  project.write('"src/billing/caf\\351.js"', "new");
  expect(project.missing()).toContain("out-of-scope");
});

import fc from "fast-check";
import { expect, test } from "vitest";
import { compileCriteria, focusedFiles } from "../../src/criteria/index.ts";
import { filesInFocus } from "../../src/status/index.ts";
import { ADA, aDraft, sha256, VERIFIED } from "../task/makers.ts";
import { Project } from "../task/project.ts";

const FILES = {
  "src/cart.js": "v1",
  "src/total.js": "v1",
  "src/secret.env": "v1",
  "docs/cart.md": "v1",
  "README.md": "v1",
};

function begun(acceptanceCriteria: string[], scope: string[]): Project {
  const project = new Project(FILES);
  project.start(aDraft({ acceptanceCriteria, scope, protectedPaths: ["**/*.env"] }));
  return project;
}

const inFocus = (project: Project, limit?: number) =>
  filesInFocus({ state: project.state, session: ADA, tree: project.tree() }, limit);

test("files that the criteria point to come first, in the order of criteria and hints", () => {
  const scope = ["src/cart.js", "src/total.js", "docs/**", "src/**"];
  const project = begun(["total.js adds up", "cart.js counts", "docs/** say so"], scope);
  expect(inFocus(project)).toEqual(["src/total.js", "src/cart.js", "docs/cart.md"]);
});

test("a criterion that waits for another comes after it", () => {
  const scope = ["src/cart.js", "src/total.js"];
  const project = begun(
    ["cart.js is right, depends on [Total]", "[Total] total.js adds up"],
    scope,
  );
  expect(inFocus(project)).toEqual(["src/total.js", "src/cart.js"]);
});

test("what was changed or named as evidence follows, newest first, and nothing protected", () => {
  const project = begun([VERIFIED], ["src/total.js"]);
  project.write("README.md", "v2");
  project.write("src/secret.env", "v2");
  project.write("src/total.js", "v2");
  expect(inFocus(project)).toEqual(["src/total.js", "README.md"]);
});

test("the list is cut where the caller says, and at fifty anyway", () => {
  const files = Object.fromEntries(Array.from({ length: 90 }, (_, i) => [`src/f${i}.js`, "v1"]));
  const project = new Project(files);
  project.start(aDraft({ scope: ["src/**"] }));
  expect(inFocus(project)).toHaveLength(8);
  expect(inFocus(project, 3)).toHaveLength(3);
  expect(inFocus(project, 1_000)).toHaveLength(50);
});

test("in mechanical mode there are no hints, so only what was seen is named", () => {
  const project = begun([VERIFIED], ["src/total.js"]);
  const { contract } = project.own().task;
  const switches = { ...contract.switches, intelligenceEngine: "off" } as const;
  const graph = compileCriteria({ ...contract, switches }, sha256);
  const files = { paths: Object.keys(FILES), observed: ["README.md"] };
  expect(focusedFiles(graph, contract, files, 8)).toEqual(["README.md"]);
});

test("a project without a task has nothing in focus", () => {
  expect(inFocus(new Project(FILES))).toEqual([]);
});

test("no file is named twice, and each is one that is there or was seen", () => {
  const aPath = fc.constantFrom(...Object.keys(FILES));
  const project = begun(["src/cart.js counts", "docs/** say so"], ["src/**", "docs/**"]);
  const { graph, task } = project.own();
  if (graph === null) throw new Error("The run has no graph.");
  fc.assert(
    fc.property(fc.array(aPath), fc.array(aPath), fc.nat(60), (paths, observed, limit) => {
      const files = focusedFiles(graph, task.contract, { paths, observed }, limit);
      expect(new Set(files).size).toBe(files.length);
      expect(files.length).toBeLessThanOrEqual(limit);
      for (const file of files) expect([...paths, ...observed]).toContain(file);
      expect(files).not.toContain("src/secret.env");
    }),
  );
});

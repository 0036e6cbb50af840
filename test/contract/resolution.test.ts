import { expect, test } from "vitest";
import type { TaskDraft } from "../../src/contract/index.ts";
import { aDraft } from "../task/makers.ts";
import { Project, startOf } from "../task/project.ts";

const FILES = {
  "src/cart.js": "v1",
  "src/names.js": "v1",
  "test/names.js": "v1",
  "docs/[draft].md": "v1",
  "README.md": "read me",
};

function begunWith(over: Partial<TaskDraft>) {
  const project = new Project(FILES);
  const { events, refusal } = project.dispatch(startOf(aDraft(over)));
  const body = events[0]?.body as { readonly warnings?: readonly string[] } | undefined;
  return { project, refusal, warnings: body?.warnings ?? [] };
}

test("the name of a file alone stands for the one file of this name", () => {
  const { project, warnings } = begunWith({
    scope: ["cart.js"],
    outOfScope: ["README.md"],
    protectedPaths: ["./cart.js"],
  });
  expect(project.own().task.contract).toMatchObject({
    scope: ["src/cart.js"],
    outOfScope: ["README.md"],
    protectedPaths: ["./cart.js", "src/cart.js"],
  });
  expect(warnings).toEqual([
    "cart.js stands for src/cart.js.",
    "./cart.js stands for src/cart.js.",
  ]);
});

test.each(["scope", "outOfScope", "protectedPaths"] as const)(
  "a name in %s that several files have is refused, and they are listed",
  (list) => {
    const { refusal } = begunWith({ [list]: ["names.js"] });
    expect(refusal).toEqual({
      code: "contract/scope-ambiguous",
      message: "names.js is the name of 2 files: src/names.js, test/names.js.",
      remedy: "Name the one that is meant by its path, or all of them as **/names.js.",
    });
  },
);

test("of very many candidates the first are listed, and how many there are", () => {
  const files = Object.fromEntries(
    Array.from({ length: 30 }, (_, index) => [`packages/p${index}/index.js`, "v1"]),
  );
  const { refusal } = new Project(files).dispatch(startOf(aDraft({ scope: ["index.js"] })));
  expect(refusal?.message).toMatch(/^index\.js is the name of 30 files: .* and 20 more\.$/);
});

test("what matches nothing yet is accepted with a warning: the task may make it", () => {
  const { project, warnings } = begunWith({
    scope: ["src/new.js", "lib/**", "new.js", "src/**", "names/**/*.js"],
    protectedPaths: [".env*"],
  });
  expect(project.own().task.contract.scope).toContain("new.js");
  expect(warnings).toEqual(
    ["src/new.js", "lib/**", "new.js", "names/**/*.js"].map(
      (entry) => `The scope entry ${entry} matches no file yet.`,
    ),
  );
});

test("a draft without a scope is accepted with a warning", () => {
  const { scope: _, ...open } = aDraft();
  const { events } = new Project(FILES).dispatch(startOf(open));
  expect(events[0]?.body).toMatchObject({ warnings: [expect.stringContaining("scope: **")] });
});

test("a name with the characters of a glob is a file of this name where there is one", () => {
  const { project, warnings } = begunWith({ scope: ["docs/[draft].md"] });
  expect(project.own().task.contract.scope).toEqual(["docs/[draft].md"]);
  expect(warnings).toEqual([]);
});

test("an entry is looked for below the project folder, not in the whole working tree", () => {
  const project = new Project({ "app/src/cart.js": "v1", "cart.js": "v1", "x/cart.js": "v1" });
  project.folder = "app";
  project.start(aDraft({ scope: ["cart.js"] }));
  expect(project.own().task.contract.scope).toEqual(["src/cart.js"]);
});

test("the next attempt begins with what the entries stood for at the first", () => {
  const { project } = begunWith({ scope: ["cart.js"] });
  project.conclude("failed", { reason: "it was another file", failedAt: "plan" });
  project.write("other/cart.js", "v1");
  project.accept({ type: "retryTask" });
  expect(project.own().task.contract.scope).toEqual(["src/cart.js"]);
});

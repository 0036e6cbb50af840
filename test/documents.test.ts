import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { commandNames } from "./cli/command-names.ts";

const ROOT = path.dirname(import.meta.dirname);
const textOf = (file: string) => readFileSync(path.join(ROOT, file), "utf8");
const namesIn = (folder: string) => readdirSync(path.join(ROOT, folder)).sort();

/** Folders that nobody wrote, or that hold no part of the program. */
const MADE = ["dist", "dist.test", "node_modules"];

test("the map names each folder, each file at the top of the sources and each page of the docs", () => {
  const map = textOf("ARCHITECTURE.md").split("## Dependencies")[0] ?? "";
  const folders = namesIn("").filter(
    (name) =>
      !name.startsWith(".") &&
      !MADE.includes(name) &&
      name !== "src" &&
      statSync(path.join(ROOT, name)).isDirectory(),
  );
  for (const folder of folders) expect(map).toContain(`\`${folder}/\``);
  for (const name of namesIn("src")) {
    expect(map).toContain(name.endsWith(".ts") ? `\`src/${name}\`` : `\`src/${name}/\``);
  }
  const docs = map.split("\n").find((line) => line.startsWith("| `docs/`")) ?? "";
  const subjects = namesIn("docs").map((page) => page.replace(/^journal-(?!format)|\.md$/g, ""));
  for (const subject of subjects) {
    expect(docs).toContain(subject === "journal-format" ? "journal" : subject.replace("-", " "));
  }
});

test("the picture of dependencies names each layer of the sources", () => {
  const picture = /## Dependencies.*?```text\n(.*?)```/s.exec(textOf("ARCHITECTURE.md"))?.[1] ?? "";
  const drawn = [...picture.matchAll(/[a-z][a-z-]+/g)].map(([name]) => name);
  const layers = namesIn("src").map((name) => name.replace(/\.ts$/, ""));
  // The guard of the entries: they ask it one question, and it stands below nobody else.
  const aside = ["node-version"];
  expect(layers.filter((layer) => !drawn.includes(layer) && !aside.includes(layer))).toEqual([]);
});

test("the README links each page of the docs", () => {
  const readme = textOf("README.md");
  for (const page of namesIn("docs")) expect(readme).toContain(`[docs/${page}](docs/${page})`);
});

test("the changelog names each command", async () => {
  const calls = await commandNames();
  const line = textOf("CHANGELOG.md").match(/^- \*\*Command line\*\*.*$/m)?.[0] ?? "";
  const named = [...line.matchAll(/`([a-z][a-z-]*)(?: ([a-z/]+))?`/g)].flatMap(
    ([, first = "", second]) => second?.split("/").map((below) => `${first} ${below}`) ?? [first],
  );
  expect(named.toSorted()).toEqual(calls.toSorted());
});

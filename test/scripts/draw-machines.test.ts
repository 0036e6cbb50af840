import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { machinePages, outdatedPages } from "../../scripts/draw-machines.ts";

const ROOT = path.join(import.meta.dirname, "../..");
const stored = (file: string) => readFileSync(path.join(ROOT, file), "utf8");

test("the pages on the machines are what the machines are", () => {
  expect(outdatedPages(stored)).toEqual([]);
});

test("a page that was changed, and one that is missing, are noticed", () => {
  const [first, second] = [...machinePages().keys()];
  const read = (file: string) => {
    if (file === first) return stored(file).replace("[*]", "[+]");
    return file === second ? null : stored(file);
  };
  expect(outdatedPages(read)).toEqual([first, second]);
});

test("a page shows states, ways, guards and ends", () => {
  const page = machinePages().get("docs/machines/contract.md");
  expect(page).toContain("  [*] --> open\n");
  expect(page).toContain("  open --> completed: conclude [completesWithProof]\n");
  expect(page).toContain("  completed --> [*]\n");
});

/** The small program of the tour, its test, and the agent that works on it. */

/** Files of the project, by path. The test of the guard fails: that is the task. */
export const PROJECT_FILES: Readonly<Record<string, string>> = {
  "package.json": `{ "name": "cart", "private": true, "type": "module" }\n`,
  "src/cart.js": `/** Puts a quantity of an item into a cart. */
export function addItem(cart, item, quantity) {
  return [...cart, { item, quantity }];
}
`,
  "test/cart.test.js": `import assert from "node:assert/strict";
import fs from "node:fs";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { addItem } from "../src/cart.js";

test("an item is added with its quantity", () => {
  assert.deepEqual(addItem([], "tea", 2), [{ item: "tea", quantity: 2 }]);
});

test("a quantity below one is rejected", () => {
  assert.throws(() => addItem([], "tea", 0), RangeError);
});

test("the shop answers", async () => {
  // Stands for a slow service: as long as the file is there, it keeps its callers waiting.
  while (fs.existsSync(process.env.SLOW_SHOP)) await pause(20);
});
`,
};

/** A first attempt that still lets zero through. */
const HALF_FIX = `/** Puts a quantity of an item into a cart. */
export function addItem(cart, item, quantity) {
  if (quantity < 0) throw new RangeError("The quantity is negative.");
  return [...cart, { item, quantity }];
}
`;

export const REAL_FIX = `/** Puts a quantity of an item into a cart. */
export function addItem(cart, item, quantity) {
  if (!(quantity >= 1)) throw new RangeError("The quantity is below one.");
  return [...cart, { item, quantity }];
}
`;

/** The same program with one more remark: another tree, so the proof of before says nothing of it. */
export const ONE_MORE_EDIT = REAL_FIX.replace("into a cart.", "(one or more) into a cart.");

export const SUMMARY = "Reject quantities below one";
export const CRITERIA = ["addItem throws RangeError for 0", "all tests pass"] as const;
export const VERIFIER = "node --test";

/**
 * The agent: a process of its own that edits a file, has one command observed, and starts the
 * verifier. It never gets to its end.
 */
export const AGENT = `import { spawnSync } from "node:child_process";
import fs from "node:fs";
const [command, ...first] = JSON.parse(process.env.HOLDFAST_COMMAND);
const holdfast = (...args) => spawnSync(command, [...first, ...args], { stdio: ["ignore", "inherit", "inherit"] });
fs.writeFileSync("src/cart.js", ${JSON.stringify(HALF_FIX)});
holdfast("exec", "--report", process.env.REPORT, "--", "git", "diff", "--stat");
holdfast("verify");
console.log("The agent is done."); // Nobody will read this.
`;

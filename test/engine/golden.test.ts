import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { expect, test } from "vitest";
import {
  exportLine,
  Journal,
  MemoryStore,
  parseExport,
  portableSha256,
  storedEvent,
  verifyRows,
} from "../../src/journal/index.ts";
import { fold } from "../../src/task/index.ts";
import { fixedPorts } from "../journal/makers.ts";
import { openStoreIn, temporaryFolder } from "../journal-sqlite/makers.ts";
import { formatLines, taskLines, upkeepLines } from "./golden-journals.ts";
import { summaryOf } from "./golden-summary.ts";

const folder = path.join(import.meta.dirname, "../golden");
const read = (name: string) => readFileSync(path.join(folder, name), "utf8");
const textOf = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join("");

/**
 * With `HOLDFAST_MAKE_GOLDEN=1` the files that are not there yet are made, and no other.
 *
 * A golden file is frozen once a version was released with it. What no longer fits it is a new
 * format version with files of its own, never an edit of these.
 */
if (process.env.HOLDFAST_MAKE_GOLDEN === "1") {
  for (const [name, lines] of [
    ["v1-format", await formatLines()],
    ["v1-task", await taskLines()],
    ["v1-upkeep", await upkeepLines()],
  ] as const) {
    const rows = [...parseExport([textOf(lines)], portableSha256).rows];
    const last = rows.at(-1);
    const expected = {
      events: rows.length,
      head: `${last?.header.seq}:${last?.hash}`,
      // The journal of the format holds nothing that a task is made of.
      ...(name !== "v1-format" ? { state: summaryOf(fold(rows.map(storedEvent))) } : {}),
    };
    writeMissing(`${name}.jsonl`, textOf(lines));
    writeMissing(`${name}.json`, `${JSON.stringify(expected, null, 2)}\n`);
  }
}

function writeMissing(name: string, text: string): void {
  const file = path.join(folder, name);
  if (!existsSync(file)) writeFileSync(file, text);
}

test("this version still writes the frozen journal of the format to the byte", async () => {
  expect(textOf(await formatLines())).toBe(read("v1-format.jsonl"));
});

test.each(["v1-format", "v1-task", "v1-upkeep"])(
  "the frozen journal %s reads, verifies, folds and is written as it always was",
  async (name) => {
    const text = read(`${name}.jsonl`);
    const expected = JSON.parse(read(`${name}.json`));
    const parsed = parseExport([text], portableSha256);
    const rows = [...parsed.rows];
    expect(parsed.torn).toBe(false);
    const [seq, hash] = String(expected.head).split(":");
    const head = { seq: Number(seq), hash };
    const first = rows[0]?.header;
    const start = { seq: (first?.seq ?? 1) - 1, hash: first?.prev ?? "" };
    expect(await verifyRows(rows, portableSha256, { start })).toMatchObject({
      ok: true,
      events: expected.events,
      head,
    });
    if (expected.state !== undefined) {
      expect(summaryOf(fold(rows.map(storedEvent)))).toEqual(expected.state);
    }
    expect(textOf(rows.map(exportLine))).toBe(text);

    for (const store of [new MemoryStore(fixedPorts().ids), await openStoreIn(temporaryFolder())]) {
      expect(await store.importRows(parseExport([text], portableSha256))).toEqual(head);
      // What stands for a shed body comes from the event that took it out.
      const stored = (await store.read(0, 1_000)).map(({ replacement: _, ...row }) => row);
      expect(stored).toEqual(rows);
      const journal = await Journal.open(store, fixedPorts(9));
      await journal.catchUp(() => {});
      expect([journal.damage, journal.head]).toEqual([null, head]);
    }
  },
);

test("the page on the format shows the frozen journal's first event", () => {
  const page = readFileSync(path.join(import.meta.dirname, "../../docs/journal-format.md"), "utf8");
  const shown = /<!-- example -->\n```json\n(.*)\n```/.exec(page)?.[1] ?? "";
  expect(`${shown}\n`).toBe(read("v1-format.jsonl").slice(0, shown.length + 1));
  const { header, hash, body } = JSON.parse(shown);
  const text = JSON.stringify(header);
  expect(page).toContain(`header is ${text.length} bytes long`);
  expect(page).toContain(`the ${JSON.stringify(body).length} bytes of the body`);
  expect(portableSha256(`holdfast.journal.v1\n${text}`)).toBe(hash);
  expect(portableSha256(JSON.stringify(body))).toBe(header.bodyDigest);
});

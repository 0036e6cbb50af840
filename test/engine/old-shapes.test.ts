import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type EventRow,
  exportLine,
  type JsonObject,
  MemoryStore,
  parseExport,
  portableSha256,
  storedEvent,
  verifyRows,
} from "../../src/journal/index.ts";
import { type EventType, fold, isFoldable, upcast } from "../../src/task/index.ts";
import { appendTo, fixedPorts, openJournal, rowsOf } from "../journal/makers.ts";
import { summaryOf } from "./golden-summary.ts";
import { DRAFT, MapWorkspace, observed, openEngineOver } from "./makers.ts";

const FROZEN = path.join(import.meta.dirname, "../golden/v1-old-shapes");

const PLAN = ["look", "decide", "change", "check"].map((id) => ({
  id,
  title: `Then ${id}`,
  mode: id === "change" ? ("single-writer" as const) : ("read-only" as const),
}));

/**
 * A journal as a version could have written it that knew a phase `triage`, and recorded of an
 * observation no folder: eight events, each chained as it should be.
 */
async function oldLines(): Promise<readonly string[]> {
  const { engine, workspace } = await openEngineOver();
  const asking = { session: "ada" };
  await engine.startTask({ ...DRAFT, plan: PLAN }, { ...asking, key: "start" });
  await engine.dispatch(
    { type: "requestTool", call: "call-1", tool: "bash", effect: "shell", command: "npm test" },
    asking,
  );
  await engine.dispatch(observed(workspace.digest), asking);
  const seq = (await engine.state()).evidence.recent.at(-1)?.seq;
  const bound = { criterion: "criterion-01", kind: "behavioral-check" } as const;
  await engine.dispatch({ type: "bindEvidence", ...bound, reference: `seq:${seq}` }, asking);
  await engine.recordGate(undefined, asking);
  const ports = fixedPorts(3);
  const journal = await openJournal(new MemoryStore(ports.ids), ports);
  const ids = new Map<string | null, string>();
  for await (const { header, body } of engine.journal.read(1)) {
    const { run, type, session, key } = header;
    const cause = ids.get(header.cause) ?? null;
    const older = { run, type, session, cause, key, body: asOfThen(type, body ?? {}) };
    const [event] = await appendTo(journal, older);
    ids.set(header.id, event?.header.id ?? "");
  }
  return (await rowsOf(journal)).map(exportLine);
}

function asOfThen(type: string, body: JsonObject): JsonObject {
  const { folder: _, ...placeless } = body;
  switch (type) {
    case "tool.requested":
    case "command.observed":
      return placeless;
    case "evidence.bound": {
      const { folder: __, ...observation } = body.observation as JsonObject;
      return { ...body, observation };
    }
    case "phase.entered":
      return { ...body, to: "triage", cause: "triage-begun", skipped: ["look-around"] };
    default:
      return body;
  }
}

const textOf = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join("");

// A frozen file is made where none is, and never again.
if (process.env.HOLDFAST_MAKE_GOLDEN === "1" && !existsSync(`${FROZEN}.jsonl`)) {
  const text = textOf(await oldLines());
  const rows = [...parseExport([text], portableSha256).rows];
  writeFileSync(`${FROZEN}.jsonl`, text);
  const frozen = { head: headText(rows.at(-1)), state: folded(rows) };
  writeFileSync(`${FROZEN}.json`, `${JSON.stringify(frozen, null, 2)}\n`);
}

function headText(row: EventRow | undefined): string {
  return `${row?.header.seq}:${row?.hash}`;
}

/** What matters of the folded state: the old names and steps, and the folders of what was seen. */
function folded(rows: readonly EventRow[]) {
  const state = fold(rows.map(storedEvent));
  const [run] = Object.values(state.runs);
  return {
    ...summaryOf(state),
    plan: run?.task.contract.plan,
    transitions: run?.trajectory.recent.map(({ source: _, ...transition }) => transition),
    folders: state.evidence.recent.map(({ seq, folder }) => `${seq} ${folder}`),
    bound: Object.values(state.evidence.bindings)
      .flat()
      .map(({ observation }) => observation?.folder),
  };
}

const text = readFileSync(`${FROZEN}.jsonl`, "utf8");
const rows = [...parseExport([text], portableSha256).rows];
const frozen = JSON.parse(readFileSync(`${FROZEN}.json`, "utf8"));

test("a journal of old shapes verifies unchanged and folds as it always did (FR-086)", async () => {
  expect(rows).toHaveLength(8);
  expect(await verifyRows(rows, portableSha256)).toMatchObject({ ok: true, events: 8 });
  expect(headText(rows.at(-1))).toBe(frozen.head);
  expect(JSON.parse(JSON.stringify(folded(rows)))).toEqual(frozen.state);
  expect(frozen.state).toMatchObject({
    notUnderstood: null,
    runs: [{ phase: "triage", status: "open" }],
    folders: ["6 /unknown"],
    bound: ["/unknown"],
  });
  expect(textOf(rows.map(exportLine))).toBe(text);
});

test("an old phase keeps its name, an old plan its steps, and evidence without a folder proves nothing (FR-086)", async () => {
  const ports = fixedPorts();
  const store = new MemoryStore(ports.ids);
  await (await openJournal(store, ports)).importRows(parseExport([text], portableSha256));
  const workspace = new MapWorkspace({ "src/cart.js": "v1" });
  const { engine } = await openEngineOver({ store, workspace, kind: 4 });
  const { task, trajectory } = await engine.task();
  expect(trajectory.phase).toBe("triage");
  expect(task.contract.plan.map(({ id }) => id)).toEqual(["look", "decide", "change", "check"]);
  expect((await engine.status({ session: "ada" })).task).toMatchObject({ phase: "triage" });
  const gate = await engine.gate(undefined, { session: "ada" });
  expect(gate.decision).not.toBe("pass");
  expect(gate.missing).toContainEqual(
    expect.objectContaining({
      code: "verifier-folder-unknown",
      message:
        "`npm test` was observed at event 6, and in which folder is unknown, so it may have been another command.",
    }),
  );
  expect(gate.missing).toContainEqual(expect.objectContaining({ code: "criterion-unproved" }));

  // It can be gone on with: what is observed now says where.
  workspace.write("src/cart.js", "v2");
  const bound = { criterion: "criterion-01", kind: "behavioral-check" } as const;
  const refused = await engine.dispatch(
    { type: "bindEvidence", ...bound, reference: "seq:6" },
    { session: "ada" },
  );
  expect(refused.refusal?.code).toBe("evidence/folder-unknown");
  const { events } = await engine.dispatch(observed(workspace.digest), { session: "ada" });
  await engine.dispatch(
    { type: "bindEvidence", ...bound, reference: `seq:${events[0]?.header.seq}` },
    { session: "ada" },
  );
  expect(await engine.conclude({ outcome: "completed" }, { session: "ada" })).toMatchObject({
    outcome: "completed",
  });
  expect((await engine.task()).trajectory.phase).toBe("triage");
});

test("what is written has today's shape: no old one gets in by a new event", async () => {
  const types = ["tool.requested", "command.observed", "phase.entered"] as const;
  for (const row of rows) {
    const { type } = row.header;
    if (!types.includes(type as (typeof types)[number])) continue;
    const body = JSON.parse(row.bodyText ?? "{}");
    expect(isFoldable(type as (typeof types)[number], body)).toBe(false);
  }
});

const TODAY = [
  ...parseExport([readFileSync(path.join(FROZEN, "../v1-task.jsonl"), "utf8")], portableSha256)
    .rows,
];

test("a body of today's shape is folded as it is, and an old one changes nothing of what is stored", () => {
  for (const row of TODAY) {
    const { type } = row.header;
    const body = JSON.parse(row.bodyText ?? "{}");
    expect(upcast(type as EventType, body)).toBe(body);
  }
  const olds = rows.filter(({ header }) => /tool|command|bound/.test(header.type));
  fc.assert(
    fc.property(
      fc.constantFrom(...olds),
      fc.dictionary(fc.string(), fc.jsonValue()),
      (row, more) => {
        const type = row.header.type as EventType;
        const { folder: _, observation: __, ...rest } = more as JsonObject;
        const body = deepFreeze({ ...rest, ...JSON.parse(row.bodyText ?? "{}") });
        const once = upcast(type, body);
        // The same each time, nothing left to do, and nothing but the folder was added.
        expect(upcast(type, body)).toEqual(once);
        expect(upcast(type, once)).toBe(once);
        expect(JSON.parse(JSON.stringify(once), withoutUnknownFolder)).toEqual(
          JSON.parse(JSON.stringify(body)),
        );
      },
    ),
  );
});

const withoutUnknownFolder = (name: string, value: unknown) =>
  name === "folder" && value === "/unknown" ? undefined : value;

function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null) Object.values(value).forEach(deepFreeze);
  return Object.freeze(value);
}

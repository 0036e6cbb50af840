import type { Engine } from "../../src/engine/index.ts";
import { exportLine, type JsonObject } from "../../src/journal/index.ts";
import { anEvent, appendTo, hashOf, memoryJournal, RUN, rowsOf } from "../journal/makers.ts";
import { observed, openEngineOver } from "./makers.ts";
import { DRAFT } from "./workspace.ts";

/** A journal that shows the format and nothing of tasks: odd values, a key, a session, a shed body. */
export async function formatLines(): Promise<readonly string[]> {
  const odd: JsonObject = JSON.parse(
    String.raw`{ "n": [0, -0.5, 1e21, 1e-7, 5e-324, 9007199254740991, 0.1, 123456789.125],
      "__proto__": { "x": 1 }, "": null, "10": true, "9": false, "\ufb33": [], "\ud83d\ude00": {},
      "text": "\u0000\u001f\n\"\\/\u007f\u2028 naïve" }`,
  );
  const journal = await memoryJournal(anEvent(odd, { session: hashOf("s-1"), key: hashOf("k-1") }));
  const [secret] = await appendTo(
    journal,
    anEvent({ secret: "was here" }, { run: RUN, key: hashOf("k-2") }),
    anEvent({}, { run: RUN }),
  );
  const { seq = 0, bodyDigest = "" } = secret?.header ?? {};
  const items = [{ seq, bodyDigest, replacement: null }];
  await appendTo(journal, anEvent({ reason: "a secret", items }, { type: "journal.shed" }));
  const rows = await rowsOf(journal);
  return rows.map((row) => exportLine(row.header.seq === seq ? { ...row, bodyText: null } : row));
}

/** Two tasks: one goes through failure, a takeover and a refused conclusion to its end, one is open. */
export async function taskLines(): Promise<readonly string[]> {
  return linesOf(await workedEngine());
}

/** The same once the first task was compacted away and a text of a later event shed. */
export async function upkeepLines(): Promise<readonly string[]> {
  const engine = await workedEngine();
  const ada = { session: "ada" };
  await engine.journal.compact({ ceiling: 5 }, ada);
  await engine.journal.append([{ type: "x.review", body: { stars: 4, by: "naïve 😀" } }], ada);
  await engine.journal.shed({ text: "naïve 😀", reason: "asked to go" }, ada);
  return linesOf(engine);
}

async function linesOf(engine: Engine): Promise<readonly string[]> {
  const lines: string[] = [];
  for await (const line of engine.journal.export()) lines.push(line.trimEnd());
  return lines;
}

async function workedEngine(): Promise<Engine> {
  const { engine, workspace } = await openEngineOver();
  const [ada, bob] = [{ session: "ada" }, { session: "bob" }];
  const { run } = await engine.startTask(DRAFT, { ...ada, key: "start" });
  const ask = (command: string, call: string) =>
    engine.dispatch({ type: "requestTool", call, tool: "bash", effect: "shell", command }, ada);
  await ask("npm test", "call-1");
  await engine.dispatch(observed(workspace.digest, { exitCode: 1, output: "1 failed 😀" }), ada);
  workspace.write("src/cart.js", "v2");
  await ask("git push", "call-2");
  await engine.dispatch({ type: "takeOverTask", run, reason: "The terminal is gone." }, bob);
  await engine.dispatch({ type: "concludeTask", outcome: "completed" }, bob);
  await engine.dispatch(observed(workspace.digest, { call: "call-3" }), bob);
  const found = (await engine.state()).evidence.recent.at(-1)?.seq;
  await engine.dispatch(
    {
      type: "bindEvidence",
      criterion: "criterion-01",
      kind: "behavioral-check",
      reference: `seq:${found}`,
    },
    bob,
  );
  const pushed = Object.values((await engine.state()).evidence.openCalls)[0]?.seq ?? 0;
  await engine.dispatch(
    { type: "settleCall", seq: pushed, as: "not-happened", reason: "Looked.", by: "program" },
    bob,
  );
  await engine.journal.append([{ type: "x.review", body: { stars: 5, by: "naïve 😀" } }], bob);
  await engine.conclude({ outcome: "completed" }, bob);
  await engine.startTask({ ...DRAFT, taskId: "second" }, ada);
  return engine;
}

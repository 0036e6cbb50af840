/**
 * A process that starts a task, and is cut off at a given write of it.
 *
 * Its argument is an `EngineJob` as JSON. The journal holds four events when the task is started;
 * starting it takes three more, in one commit.
 */
import process from "node:process";
import { DEFAULT_SWITCHES, Engine } from "../../src/engine/index.ts";
import { openSqliteStore, type SqliteStoreOptions } from "../../src/journal-sqlite/index.ts";
import { createRedactor } from "../../src/redaction/index.ts";
import { DRAFT, MapWorkspace } from "../engine/workspace.ts";
import { atWrite, type CutOff, lastConnection } from "./connections.ts";
import { die, say } from "./die.ts";
import { REAL_PORTS } from "./ports.ts";

export type EngineJob = Omit<SqliteStoreOptions, "ports"> & {
  /** Where to die: at a write, within the transaction, or after the commit and before the answer. */
  readonly dieAt: CutOff | "answer";
};

const job = JSON.parse(process.argv[2] ?? "") as EngineJob;
const session = "ada";

const store = await openSqliteStore({ ...job, ports: REAL_PORTS });
const engine = await Engine.open({
  ...REAL_PORTS,
  store,
  workspace: new MapWorkspace({ "src/cart.js": "v1" }),
  redactor: createRedactor(),
  switches: DEFAULT_SWITCHES,
});
await engine.journal.append(
  [1, 2, 3].map((n) => ({ type: "x.noted", body: { n } })),
  { session },
);
say("begun");
if (job.dieAt !== "answer") atWrite(lastConnection(), job.dieAt, die);
await engine.dispatch({ type: "startTask", draft: DRAFT, intakeMode: "person" }, { session });
if (job.dieAt === "answer") die();
say("started");

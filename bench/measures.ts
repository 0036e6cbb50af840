/** One measure in a process of its own: `node bench/measures.ts NAME COUNT`, answered as JSON. */
import { spawnSync } from "node:child_process";
import crypto from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { Journal, portableSha256 } from "../src/journal/index.ts";
import type { Durability } from "../src/journal-sqlite/index.ts";
import { systemPorts } from "../src/open.ts";
import type { Command } from "../src/task/index.ts";
import { anEvent } from "./event.ts";
import { Floor } from "./floor.ts";
import { median, microseconds, pairedRatio } from "./timing.ts";
import { openEngineOn, openStore, STILL_DIGEST, scratchFolder } from "./world.ts";

export type Result = Readonly<Record<string, number>>;
type Measure = (folder: string, count: number) => Promise<Result>;

const SESSION = portableSha256("bench");
const asking = { session: "bench" };

async function openJournal(folder: string, durability: Durability): Promise<Journal> {
  const journal = await Journal.open(await openStore(folder, durability), await systemPorts());
  await journal.catchUp(() => {});
  return journal;
}

const newEvent = (n: number) => ({
  run: "-",
  type: "tool.observed",
  session: SESSION,
  cause: null,
  key: crypto.hash("sha256", `key ${n} ${process.pid}`, "hex"),
  body: anEvent(n),
});

/** Journal appends, one a commit, beside the floor. */
const append =
  (durability: Durability): Measure =>
  async (folder, count) => {
    const floor = new Floor(folder, durability);
    const journal = await openJournal(folder, durability);
    const paired = await pairedRatio(
      count,
      (n) => floor.append(anEvent(n)),
      (n) => journal.append([], (append) => void append.add([newEvent(n)])),
    );
    await journal.close();
    floor.close();
    const bytes = fs.statSync(path.join(folder, ".holdfast", "journal.sqlite")).size;
    return { ...paired, bytesPerEvent: bytes / count };
  };

const observed = (n: number): Command => ({
  type: "observeCommand",
  call: `call-${n}`,
  tool: "shell",
  command: `npm run test -- --filter part-${n % 50}`,
  treeBefore: STILL_DIGEST,
  end: { exitCode: n % 17 === 0 ? 1 : 0, signal: null, timedOut: false, aborted: false },
  output: { digest: STILL_DIGEST, bytes: 240, head: "ok ".repeat(80), tail: "" },
  durationMs: 40 + (n % 900),
});

const DRAFT = {
  summary: "Something to observe commands for",
  acceptanceCriteria: ["it works"],
  verifyCommands: ["npm test"],
};

/** Everything that `dispatch` does for an observed command, beside the floor. */
const dispatch: Measure = async (folder, count) => {
  const floor = new Floor(folder, "full");
  const engine = await openEngineOn(folder, "full");
  await engine.startTask(DRAFT, asking);
  const paired = await pairedRatio(
    count,
    (n) => floor.append(anEvent(n)),
    (n) => engine.dispatch(observed(n), asking),
  );
  await engine.close();
  floor.close();
  return { ...paired };
};

/** Keys are never used twice: singles get numbers of their own. */
const FAR_AWAY = 1_000_000_000;

const GROUP = 64;

/** Events a second in groups of 64 that arrive together, over single ones. */
const group: Measure = async (folder, count) => {
  const journal = await openJournal(folder, "full");
  const singles: number[] = [];
  const groups: number[] = [];
  for (let n = 0; n < count; n += GROUP) {
    for (let at = n; at < n + 8; at++) {
      singles.push(
        await microseconds(() =>
          journal.append([], (it) => void it.add([newEvent(FAR_AWAY + at)])),
        ),
      );
    }
    const us = await microseconds(() =>
      journal.append([], (it) => {
        for (let at = n; at < n + GROUP; at++) it.add([newEvent(at)]);
      }),
    );
    groups.push(us / GROUP);
  }
  await journal.close();
  return {
    ratio: median(singles) / median(groups),
    singleUs: median(singles),
    eachUs: median(groups),
  };
};

/** How appends grow with the journal: the last tenth over the first. */
const growth: Measure = async (folder, count) => {
  const journal = await openJournal(folder, "process");
  const taken: number[] = [];
  for (let n = 0; n < count; n++) {
    taken.push(await microseconds(() => journal.append([], (it) => void it.add([newEvent(n)]))));
  }
  await journal.close();
  const tenth = Math.floor(count / 10);
  // The very first appends are slower: code is still being compiled and the log still grows.
  const first = median(taken.slice(tenth, 2 * tenth));
  return { ratio: median(taken.slice(-tenth)) / first, firstUs: first };
};

async function filled(folder: string, count: number): Promise<void> {
  const journal = await openJournal(folder, "process");
  for (let n = 0; n < count; n += 1_000) {
    await journal.append([], (it) => {
      for (let at = n; at < Math.min(n + 1_000, count); at++) it.add([newEvent(at)]);
    });
  }
  await journal.close();
}

/** Opening, verifying the chain and handing out each event, over reading and parsing plain rows. */
const load: Measure = async (folder, count) => {
  const floor = new Floor(folder, "process");
  for (let n = 0; n < count; n++) floor.append(anEvent(n));
  await filled(folder, count);
  const seen = { count: 0, failures: 0 };
  const each = (body: unknown) => {
    seen.count++;
    if ((body as { exitCode?: number }).exitCode !== 0) seen.failures++;
  };
  const plain: number[] = [];
  const verified: number[] = [];
  for (let round = 0; round < 5; round++) {
    plain.push(await microseconds(() => floor.load(each)));
    verified.push(
      await microseconds(async () => {
        const journal = await Journal.open(await openStore(folder, "process"), await systemPorts());
        await journal.catchUp(({ body }) => each(body));
        await journal.close();
      }),
    );
  }
  floor.close();
  const memoryMb = process.resourceUsage().maxRSS / 1_024;
  return { ratio: median(verified) / median(plain), ms: median(verified) / 1_000, memoryMb };
};

/** A journal of one run with so many mixed events. */
async function worked(folder: string, count: number): Promise<void> {
  const engine = await openEngineOn(folder, "process");
  await engine.startTask(DRAFT, asking);
  for (let n = 0; n < count; n += GROUP) {
    const commands = Array.from({ length: GROUP }, (_, at) => at + n).flatMap((at): Command[] => {
      const call = { call: `call-${at}`, tool: "shell", command: "npm run build" };
      const requested: Command = { type: "requestTool", ...call, effect: "shell" };
      return at % 2 === 0
        ? [requested]
        : [{ ...observed(at - 1), ...call, call: `call-${at - 1}` } as Command];
    });
    await Promise.all(commands.map((command) => engine.dispatch(command, asking)));
  }
  await engine.close();
}

/** From a snapshot and a tail to a usable state, in a process that has done it before. */
const open: Measure = async (folder, count) => {
  await worked(folder, count);
  const taken: number[] = [];
  for (let round = 0; round < 11; round++) {
    taken.push(
      await microseconds(async () => {
        const engine = await openEngineOn(folder, "full");
        await engine.state();
        await engine.close();
      }),
    );
  }
  return { ms: median(taken) / 1_000 };
};

/** All projections over every event, over reading and parsing the plain rows. */
const projections: Measure = async (folder, count) => {
  await worked(folder, count);
  const plain: number[] = [];
  const folded: number[] = [];
  for (let round = 0; round < 5; round++) {
    const store = await openStore(folder, "process");
    plain.push(
      await microseconds(async () => {
        for (let seq = 0; ; seq += 1_000) {
          const rows = await store.read(seq, 1_000);
          for (const { bodyText } of rows) JSON.parse(bodyText ?? "null");
          if (rows.length < 1_000) return;
        }
      }),
    );
    await store.writeSnapshot(null);
    await store.close();
    folded.push(
      await microseconds(async () => {
        const engine = await openEngineOn(folder, "process");
        await engine.state();
      }),
    );
  }
  return { ratio: median(folded) / median(plain), ms: median(folded) / 1_000 };
};

const COMMAND = path.join(import.meta.dirname, "..", "dist", "bin", "holdfast.js");

/** `holdfast status` as a whole process, over a bare Node. */
const status: Measure = async (folder, count) => {
  await worked(folder, count);
  const run = (...args: readonly string[]) =>
    microseconds(() => spawnSync(process.execPath, args, { cwd: folder, stdio: "ignore" }));
  const bare: number[] = [];
  const ours: number[] = [];
  for (let round = 0; round < 11; round++) {
    bare.push(await run("-e", "0"));
    ours.push(await run(COMMAND, "--dir", folder, "--session", "bench", "status"));
  }
  return {
    ratio: median(ours) / median(bare),
    ms: median(ours) / 1_000,
    bareMs: median(bare) / 1_000,
  };
};

const MEASURES: Readonly<Record<string, Measure>> = {
  "append-full": append("full"),
  "append-process": append("process"),
  dispatch,
  group,
  growth,
  load,
  open,
  projections,
  status,
};

const [name = "", count = "0"] = process.argv.slice(2);
const measure = MEASURES[name];
if (measure === undefined)
  throw new Error(`No measure ${name}; there are ${Object.keys(MEASURES).join(", ")}.`);
const folder = scratchFolder();
try {
  console.log(JSON.stringify(await measure(folder, Number(count))));
} finally {
  fs.rmSync(folder, { recursive: true, force: true });
}

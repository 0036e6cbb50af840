import path from "node:path";
import vm from "node:vm";
import { build } from "esbuild";
import { expect, test } from "vitest";

const root = path.dirname(path.dirname(import.meta.dirname));

/** A whole task life, written for a place that has nothing but JavaScript. */
const PROGRAM = `
  import { DEFAULT_SWITCHES, Engine } from "./src/engine/index.ts";
  import { MemoryStore, portableSha256 } from "./src/journal/index.ts";
  import { createRedactor } from "./src/redaction/index.ts";

  let ids = 0;
  let ticks = 0;
  let content = "v1";
  const clock = { now: () => 1_767_323_045_678 + ticks++ };
  const ids7 = {
    uuid: () => "01940000-0000-7000-8000-" + String(++ids).padStart(12, "0"),
    secret: () => portableSha256("secret " + ++ids),
  };
  const digest = () => portableSha256(content);
  const workspace = {
    read: async () => ({
      place: "main", folder: "", method: "git", digest: digest(), unavailable: [],
      commit: "c".repeat(40), branch: "main", operation: null, base: "c".repeat(40),
      dirty: content === "v1" ? {} : { "src/cart.js": "100644 blob " + digest().slice(0, 40) },
      dirtyTruncated: false,
    }),
    fileDigest: async () => "sha256:" + digest(),
  };
  const open = (store) => Engine.open({
    store, clock, ids: ids7, workspace, redactor: createRedactor(), switches: DEFAULT_SWITCHES,
  });
  const observed = (call) => ({
    type: "observeCommand", call, tool: "bash", command: "npm test", treeBefore: digest(),
    end: { exitCode: 0, signal: null, timedOut: false, aborted: false },
    output: { digest: digest(), bytes: 0, head: "", tail: "" }, durationMs: null,
  });

  export async function run() {
    const store = new MemoryStore(ids7);
    const engine = await open(store);
    const asking = { session: "ada" };
    const { run } = await engine.startTask({
      summary: "Reject quantities below one", acceptanceCriteria: ["the tests pass"],
      scope: ["src/**"], verifyCommands: ["npm test"],
    }, asking);
    const wrong = await engine.startTask({ summary: "no" }, asking).catch((error) => error.code);
    const early = await engine.conclude({ outcome: "completed" }, asking).catch((error) => error.code);
    content = "v2";
    await engine.dispatch(observed("call-1"), asking);
    const resumed = await (await open(store)).resume(asking);
    const { outcome, head } = await engine.conclude({ outcome: "completed" }, asking);
    const { ok, events } = await engine.journal.verify({ noted: head });
    return JSON.stringify({ run, wrong, early, resumed: resumed.decision, outcome, ok, events });
  }
`;

async function bundled(): Promise<{ readonly code: string; readonly imports: readonly string[] }> {
  const { outputFiles, metafile } = await build({
    stdin: { contents: PROGRAM, resolveDir: root, loader: "js" },
    bundle: true,
    write: false,
    metafile: true,
    platform: "neutral",
    format: "iife",
    globalName: "program",
    target: "es2024",
    mainFields: ["module", "main"],
    define: { "process.env.NODE_ENV": '"production"' },
    logLevel: "silent",
  });
  const imports = Object.values(metafile.outputs).flatMap((output) => output.imports);
  return { code: outputFiles[0]?.text ?? "", imports: imports.map((it) => it.path) };
}

test("the engine with the memory store runs a whole task with no Node around it", async () => {
  const { code, imports } = await bundled();
  expect(imports).toEqual([]);
  expect(code).not.toContain("node:");

  // A bare realm has only the language; texts as bytes are the one thing more that it needs.
  const context = vm.createContext({ TextEncoder });
  expect(vm.runInContext("[typeof process, typeof require, typeof Buffer]", context)).toEqual(
    Array(3).fill("undefined"),
  );
  vm.runInContext(code, context, { filename: "program.js" });
  const said = JSON.parse(await vm.runInContext("program.run()", context));
  expect(said).toMatchObject({
    wrong: "contract/invalid",
    early: "gate/refused",
    resumed: "resume",
    outcome: "completed",
    ok: true,
  });
}, 60_000);

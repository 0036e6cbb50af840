import { spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { build } from "esbuild";
import type { Figures, Input } from "./figures.ts";
import type { MeasureName } from "./measures.ts";
import type { PeerMeasure, PeerName } from "./peers/measure.ts";

export const ROOT = path.dirname(import.meta.dirname);

/** What makes a journal that is measured later. */
type Maker = "makeEvents" | "makeLongTail" | "makeRun";

/** Starts measures, each in a process of its own, and keeps the journals that several of them read. */
export class Lab {
  readonly quick: boolean;
  /** Where the measures stand as plain JavaScript, so that no figure holds what stripping types costs. */
  readonly #bundled: string;
  /** On the disk that is measured: `BENCH_DIR`, else the system's temporary folder. */
  readonly #scratch: string;
  readonly #made = new Map<string, Promise<string>>();

  private constructor(quick: boolean, bundled: string, scratch: string) {
    this.quick = quick;
    this.#bundled = bundled;
    this.#scratch = scratch;
  }

  static async open(quick: boolean): Promise<Lab> {
    const disk = process.env.BENCH_DIR ?? os.tmpdir();
    fs.mkdirSync(disk, { recursive: true });
    const scratch = fs.mkdtempSync(path.join(disk, "holdfast-bench-"));
    const bundled = fs.mkdtempSync(path.join(ROOT, "dist.bench-"));
    const lab = new Lab(quick, bundled, scratch);
    await build({
      absWorkingDir: ROOT,
      entryPoints: ["bench/measures.ts"],
      outdir: bundled,
      bundle: true,
      splitting: true,
      packages: "external",
      format: "esm",
      platform: "node",
      logLevel: "warning",
    });
    return lab;
  }

  /** Runs a measure in a fresh process, in an empty folder unless one is given. */
  measure(name: MeasureName, given: Partial<Input> = {}): Promise<Figures> {
    return this.#answer([this.#measures(), name], given);
  }

  /** The same for a peer, which finds its packages beside its source. */
  peer(name: PeerName, what: PeerMeasure, given: Partial<Input>): Promise<Figures> {
    return this.#answer([path.join(ROOT, "bench", "peers", "measure.ts"), name, what], given);
  }

  folder(): string {
    return fs.mkdtempSync(path.join(this.#scratch, "folder-"));
  }

  discard(folder: string): void {
    fs.rmSync(folder, { recursive: true, force: true });
  }

  /** The folder of a journal of so many events; made once, and not to be changed. */
  made(maker: Maker, count: number): Promise<string> {
    const known = this.#made.get(`${maker} ${count}`) ?? this.#make(maker, count);
    this.#made.set(`${maker} ${count}`, known);
    return known;
  }

  /** A copy of such a folder that may be changed. */
  async copied(maker: Maker, count: number): Promise<string> {
    const folder = this.folder();
    fs.cpSync(await this.made(maker, count), folder, { recursive: true });
    return folder;
  }

  close(): void {
    this.discard(this.#scratch);
    this.discard(this.#bundled);
  }

  async #make(maker: Maker, count: number): Promise<string> {
    const folder = this.folder();
    await this.measure(maker, { folder, count });
    return folder;
  }

  async #answer(started: readonly string[], given: Partial<Input>): Promise<Figures> {
    const folder = given.folder ?? this.folder();
    const input: Input = { count: 0, ...given, folder };
    try {
      return await answered([...started, JSON.stringify(input)]);
    } finally {
      if (given.folder === undefined) this.discard(folder);
    }
  }

  #measures(): string {
    return path.join(this.#bundled, "measures.js");
  }
}

async function answered(given: readonly string[]): Promise<Figures> {
  const child = spawn(process.execPath, given, { stdio: ["ignore", "pipe", "inherit"] });
  const ended = Promise.withResolvers<number | null>();
  child.on("error", ended.reject);
  child.on("close", ended.resolve);
  let answer = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    answer += text;
  });
  const code = await ended.promise;
  if (code !== 0) throw new Error(`node ${given.join(" ")} ended with ${code}.`);
  return JSON.parse(answer);
}

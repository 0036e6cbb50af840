/**
 * Checks what users get: builds and packs the package, has publint and attw look at the tarball,
 * then installs it into an empty folder and uses it there, as a command and as a library.
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { buildAll } from "./build.ts";

const ROOT = path.dirname(import.meta.dirname);
const CONSUMERS = path.join(ROOT, "test", "package");

/** Where the Node that runs this stands, so that the programs started here run under it too. */
const PATH_WITH_THIS_NODE = [path.dirname(process.execPath), process.env.PATH].join(path.delimiter);

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly engines: { readonly node: string };
}

async function main(): Promise<void> {
  const manifest: Manifest = JSON.parse(await readFile(path.join(ROOT, "package.json"), "utf8"));
  const folder = await mkdtemp(path.join(tmpdir(), "holdfast-package-"));
  try {
    await step("build", buildAll);
    const tarball = await step("pack", () => pack(folder, manifest));
    await step("publint", () => tool("publint", ["run", tarball, "--strict"]));
    await step("attw", () =>
      tool("attw", [tarball, "--profile", "esm-only", "--no-definitely-typed"]),
    );
    const consumer = await step("install", () => install(folder, tarball));
    await step("command", () => useCommand(consumer, manifest));
    await step("journal", () => useJournal(consumer, folder, manifest));
    await step("library", () => useLibrary(consumer));
    await step("types", () => useTypes(consumer));
    await step("old Node", () => useWithOldNode(consumer, manifest));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function step<Result>(name: string, work: () => Result | Promise<Result>): Promise<Result> {
  const startedMs = performance.now();
  const result = await work();
  console.log(`${name}: ok (${((performance.now() - startedMs) / 1000).toFixed(1)} s)`);
  return result;
}

function pack(folder: string, { name, version }: Manifest): string {
  run("npm", ["pack", "--ignore-scripts", "--pack-destination", folder], ROOT);
  return path.join(folder, `${name}-${version}.tgz`);
}

function tool(name: string, options: readonly string[]): void {
  run(path.join(ROOT, "node_modules", ".bin", name), options, ROOT);
}

/** An empty folder that has nothing but the tarball and what it depends on. */
async function install(folder: string, tarball: string): Promise<string> {
  const consumer = path.join(folder, "consumer");
  await mkdir(consumer);
  await writeFile(path.join(consumer, "package.json"), `{ "private": true, "type": "module" }\n`);
  await cp(CONSUMERS, consumer, { recursive: true });
  run("npm", ["install", "--prefer-offline", "--no-audit", "--no-fund", tarball], consumer);
  return consumer;
}

function useCommand(consumer: string, { name, version }: Manifest): void {
  const command = path.join(consumer, "node_modules", ".bin", name);
  const said = run(command, ["--version"], consumer).trim();
  if (!said.includes(version))
    throw new Error(`--version says ${said}; the package is ${version}.`);
  const help = run(command, ["--help"], consumer);
  if (!help.includes(`${name} `)) throw new Error(`--help does not name the command:\n${help}`);
}

/** The native module and all that is bundled come into play only where a journal is. */
async function useJournal(consumer: string, folder: string, { name }: Manifest): Promise<void> {
  const command = path.join(consumer, "node_modules", ".bin", name);
  const project = path.join(folder, "project");
  await mkdir(project);
  run(command, ["init"], project);
  run(command, ["exec", "--", "node", "-e", "0"], project);
  const { ok, events } = JSON.parse(run(command, ["journal", "verify", "--json"], project));
  if (ok !== true || events !== 3) throw new Error(`journal verify says ${ok}, ${events} events.`);
}

function useLibrary(consumer: string): void {
  run(process.execPath, ["consumer.mjs"], consumer);
}

function useTypes(consumer: string): void {
  tool("tsc", ["-p", consumer]);
}

/** A Node that is too old must be told so in one sentence, before anything native is loaded. */
function useWithOldNode(consumer: string, { name, engines }: Manifest): void {
  const oldNode = findOldNode(engines.node);
  if (oldNode === null) {
    console.log(
      `No Node older than ${engines.node} is on the path; how it is told so was not run.`,
    );
    return;
  }
  const command = path.join(consumer, "node_modules", ".bin", name);
  for (const program of [command, path.join(consumer, "consumer.mjs")]) {
    const ended = spawnSync(oldNode, [program], { cwd: consumer, encoding: "utf8" });
    const told = ended.stderr.trim();
    const minimum = engines.node.replace(">=", "");
    if (ended.status === 0 || ended.status === null || !told.includes(minimum)) {
      throw new Error(`${oldNode} ${program} ended with ${ended.status ?? ended.signal}:\n${told}`);
    }
    if (program === command && told.split("\n").length > 1) {
      throw new Error(`The command tells an old Node more than one line:\n${told}`);
    }
  }
}

function findOldNode(range: string): string | null {
  const [major = 0, minor = 0] = range.replace(">=", "").split(".").map(Number);
  for (const folder of (process.env.PATH ?? "").split(path.delimiter)) {
    const candidate = path.join(folder, "node");
    if (!existsSync(candidate)) continue;
    const { stdout } = spawnSync(candidate, ["--version"], { encoding: "utf8" });
    const [itsMajor = 0, itsMinor = 0] = stdout.replace("v", "").split(".").map(Number);
    if (itsMajor < major || (itsMajor === major && itsMinor < minor)) return candidate;
  }
  return null;
}

/** Without what would lead the command to another project or session. */
function ownEnvironment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !/^(HOLDFAST|PI)_/.test(name));
  return Object.fromEntries(own);
}

/** Runs a program and gives its output. Throws with all it said unless it ends with 0. */
function run(program: string, options: readonly string[], folder: string): string {
  const ended = spawnSync(program, options, {
    cwd: folder,
    encoding: "utf8",
    env: { ...ownEnvironment(), PATH: PATH_WITH_THIS_NODE },
  });
  if (ended.error !== undefined) throw ended.error;
  if (ended.status !== 0) {
    const call = [path.basename(program), ...options].join(" ");
    const end = ended.status ?? ended.signal;
    throw new Error(`${call} ended with ${end}:\n${ended.stdout}${ended.stderr}`);
  }
  return ended.stdout;
}

try {
  await main();
} catch (cause) {
  console.error(cause instanceof Error ? cause.message : cause);
  process.exitCode = 1;
}

import { execFileSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";
import { openWorkspace, type ReadOptions, type TreeReading } from "../../src/workspace/index.ts";

// The machine's own settings must decide nothing, neither here nor in the readings.
process.env.GIT_CONFIG_GLOBAL = "/dev/null";
process.env.GIT_CONFIG_NOSYSTEM = "1";

const AUTHOR = {
  GIT_AUTHOR_NAME: "Ada Example",
  GIT_AUTHOR_EMAIL: "ada@example.org",
  GIT_COMMITTER_NAME: "Ada Example",
  GIT_COMMITTER_EMAIL: "ada@example.org",
};

export function emptyFolder(): string {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), "holdfast-workspace-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function git(folder: string, ...args: string[]): string {
  const env = { ...process.env, ...AUTHOR };
  const options = { cwd: folder, env, encoding: "utf8", stdio: "pipe" } as const;
  return execFileSync("git", ["-c", "protocol.file.allow=always", ...args], options).trim();
}

type Files = Readonly<Record<string, string | Buffer>>;

export function write(folder: string, files: Files): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), content);
  }
}

export function remove(folder: string, name: string): void {
  rmSync(path.join(folder, name), { recursive: true });
}

export function link(folder: string, name: string, target: string): void {
  symlinkSync(target, path.join(folder, name));
}

export function makeExecutable(folder: string, name: string): void {
  chmodSync(path.join(folder, name), 0o755);
}

/** A repository without commits, in a folder of its own. */
export function emptyRepository(...options: string[]): string {
  const folder = path.join(emptyFolder(), "project");
  mkdirSync(folder);
  git(folder, "init", "--quiet", "--initial-branch=main", ...options);
  return folder;
}

export function repositoryWith(files: Files, ...options: string[]): string {
  const folder = emptyRepository(...options);
  write(folder, files);
  commitAll(folder);
  return folder;
}

export function commitAll(folder: string, message = "change"): string {
  git(folder, "add", "--all");
  git(folder, "commit", "--quiet", "--allow-empty", "--message", message);
  return git(folder, "rev-parse", "HEAD");
}

/** What a process that begins now would read; the state folder is where nothing is yet. */
export async function read(folder: string, options?: ReadOptions): Promise<TreeReading> {
  const location = { projectDir: folder, stateDir: path.join(folder, ".holdfast") };
  return (await openWorkspace(location)).read(options);
}

export async function digest(folder: string): Promise<string> {
  const reading = await read(folder);
  if (reading.digest === null) throw new Error(`No digest: ${JSON.stringify(reading.unavailable)}`);
  return reading.digest;
}

/** Whether something that is done to a folder gives it another digest. */
export async function movesDigest(folder: string, change: () => void): Promise<boolean> {
  const before = await digest(folder);
  change();
  return (await digest(folder)) !== before;
}

/** Every file below a folder with its bytes, mode and modification time, to compare it as a whole. */
export function imageOf(folder: string): Record<string, string> {
  const image: Record<string, string> = {};
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    const { mode, mtimeMs } = statSync(file);
    const content = entry.isFile() ? readFileSync(file).toString("latin1") : "";
    image[path.relative(folder, file)] = `${mode} ${mtimeMs} ${content}`;
  }
  return image;
}

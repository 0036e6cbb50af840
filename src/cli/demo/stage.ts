import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { quoted } from "../exact-command.ts";
import type { TourCommand } from "../view-schemas.ts";
import { AGENT, PROJECT_FILES } from "./project.ts";

const GIT_IDENTITY = ["-c", "user.name=Tour", "-c", "user.email=tour@example.invalid"];
/** How long one command of the tour may take, in milliseconds. */
const COMMAND_TIMEOUT_MS = 15_000;

/** A temporary folder with a real repository, and the real command to run in it. */
export class Stage {
  readonly folder: string;
  readonly project: string;
  /** While this file is there, the project's slowest test waits. */
  readonly slowShop: string;
  readonly report: string;
  readonly #command: readonly [string, ...string[]];
  readonly #env: NodeJS.ProcessEnv;

  constructor(command: readonly [string, ...string[]], env: NodeJS.ProcessEnv) {
    this.folder = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), "holdfast-demo-"));
    this.project = path.join(this.folder, "cart");
    this.slowShop = path.join(this.folder, "shop-is-slow");
    this.report = path.join(this.folder, "report.json");
    this.#command = command;
    this.#env = this.#cleanEnvironment(env);
  }

  makeProject(): void {
    for (const [name, text] of Object.entries(PROJECT_FILES)) {
      const file = path.join(this.project, name);
      fs.mkdirSync(path.dirname(file), { recursive: true });
      fs.writeFileSync(file, text);
    }
    fs.writeFileSync(path.join(this.folder, "agent.mjs"), AGENT);
    this.git("init", "--quiet", "--initial-branch", "main");
    this.git("add", "--all");
    this.git("commit", "--quiet", "--message", "A cart");
  }

  git(...args: readonly string[]): string {
    const options = { cwd: this.project, env: this.#env, encoding: "utf8" } as const;
    const result = spawnSync("git", [...GIT_IDENTITY, ...args], options);
    if (result.status === 0) return result.stdout;
    throw new Error(`git ${args[0]} failed: ${result.error?.message ?? result.stderr}`);
  }

  edit(text: string): void {
    fs.writeFileSync(path.join(this.project, "src/cart.js"), text);
  }

  /** Runs the command in a process of its own and waits for its end. */
  holdfast(...args: readonly string[]): TourCommand {
    return this.holdfastIn(this.project, ...args);
  }

  holdfastIn(folder: string, ...args: readonly string[]): TourCommand {
    const [program, ...first] = this.#command;
    const dash = args.indexOf("--");
    const withJson =
      dash < 0 ? [...args, "--json"] : [...args.slice(0, dash), "--json", ...args.slice(dash)];
    const result = spawnSync(program, [...first, ...withJson], {
      cwd: folder,
      env: this.#env,
      encoding: "utf8",
      timeout: COMMAND_TIMEOUT_MS,
    });
    return {
      command: ["holdfast", ...args.map((word) => quoted(word))].join(" "),
      exitCode: result.status,
      answer: parsed(result.stdout),
      stderr: result.stderr,
    };
  }

  /** Starts the agent in a process group of its own, so that a kill takes all of it at once. */
  startAgent(): ChildProcess {
    const agent = path.join(this.folder, "agent.mjs");
    return spawn(this.#command[0], [agent], {
      cwd: this.project,
      detached: true,
      stdio: "ignore",
      env: {
        ...this.#env,
        HOLDFAST_COMMAND: JSON.stringify(this.#command),
        REPORT: this.report,
      },
    });
  }

  /** A command that a reader can paste. */
  pasteable(...args: readonly string[]): string {
    return [...this.#command, "--dir", this.project, ...args].map((word) => quoted(word)).join(" ");
  }

  /** The tour must not be led by what the caller's session or repository says. */
  #cleanEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
    const foreign = /^(?:GIT_|HOLDFAST_|PIAGENT_|PI_|CLAUDE|NODE_OPTIONS$|NODE_TEST)/;
    const kept = Object.entries(env).filter(([name]) => !foreign.test(name));
    const node = path.dirname(this.#command[0]);
    return {
      ...Object.fromEntries(kept),
      PATH: `${node}${path.delimiter}${env.PATH ?? ""}`,
      GIT_CONFIG_GLOBAL: os.devNull,
      GIT_CONFIG_NOSYSTEM: "1",
      HOLDFAST_SESSION: "tour",
      SLOW_SHOP: this.slowShop,
      NO_COLOR: "1",
    };
  }
}

function parsed(stdout: string): unknown {
  try {
    return JSON.parse(stdout);
  } catch {
    return stdout; // Not every command answers in JSON; then the text is the answer.
  }
}

import process from "node:process";
import { type Command, InvalidArgumentError } from "commander";
import type { Asking } from "../engine/index.ts";
import { sessionOf } from "./environment.ts";
import { Output, type Reply } from "./output.ts";

/** Options that every command takes. */
interface CommonOptions {
  readonly dir?: string;
  readonly json?: boolean;
  readonly session?: string;
  /** On commands that append only. */
  readonly key?: string;
}

/** One call of one command. */
export interface Call<Options = unknown> {
  readonly options: Options & CommonOptions;
  /** The arguments in order; a variadic one is a list. */
  readonly args: readonly unknown[];
  readonly output: Output;
  readonly asking: Asking;
}

interface CommandOutline {
  /** Its name and arguments, as in "show <seq>". */
  readonly usage: string;
  readonly does: string;
  /** A call that works, without "holdfast". */
  readonly example: string;
  /** Whether it appends events, and so takes an idempotency key. */
  readonly appends?: boolean;
}

/** Adds a command with the options that all commands share. */
export function addCommand(parent: Command, outline: CommandOutline): Command {
  const command = withCommonOptions(parent.command(outline.usage))
    .description(outline.does)
    .addHelpText("after", `\nExample:\n  $ holdfast ${outline.example}`);
  if (outline.appends !== true) return command;
  return command.option(
    "--key <key>",
    "idempotency key: the same call with the same key is carried out once",
    nonEmpty,
  );
}

/** A name under which other commands stand. */
export function addGroup(parent: Command, name: string, does: string): Command {
  return withCommonOptions(parent.command(name)).description(does);
}

/** They may stand before a command's name as well as after it. */
export function withCommonOptions(command: Command): Command {
  return command
    .option("--dir <dir>", "the project (default: the nearest folder upwards with a journal)")
    .option("--json", "answer with one JSON document on stdout")
    .option("--session <id>", "the session that asks (default: the host's, else cli)");
}

/** Has a command carried out by `work`, whose reply is printed; null when it has printed by itself. */
export function carriedOutBy<Options>(
  command: Command,
  work: (call: Call<Options>) => Promise<Reply | null>,
): void {
  command.action(async () => {
    const options = command.optsWithGlobals<Options & CommonOptions>();
    const output = new Output(options.json === true);
    const session = sessionOf(options.session, process.env);
    const { key } = options;
    const asking = key === undefined ? { session } : { session, key };
    const reply = await work({ options, args: command.processedArgs, output, asking });
    if (reply === null) return;
    await output.reply(reply);
    process.exitCode = reply.exitCode ?? 0;
  });
}

/** Gathers an option that may be given several times. */
export function repeated(value: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, value];
}

export function nonEmpty(text: string): string {
  if (text.trim() === "") throw new InvalidArgumentError("It must not be empty.");
  return text;
}

/** Seconds as milliseconds. */
export function seconds(text: string): number {
  const value = Number(text);
  if (/^\d+(?:\.\d+)?$/.test(text) && value > 0 && value <= SECONDS_MAX) {
    return Math.ceil(value * 1_000);
  }
  throw new InvalidArgumentError(`It has to be a number of seconds from 0.001 to ${SECONDS_MAX}.`);
}

/** A day; the longest time a verify command may have. */
const SECONDS_MAX = 86_400;

/** The position of an event. */
export function position(text: string): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= 1 && Number.isSafeInteger(value)) return value;
  throw new InvalidArgumentError("It has to be the number of an event, as in 12.");
}

/** A whole number from 1, as an option is given. */
export function wholeNumber(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It has to be a whole number from 1.");
}

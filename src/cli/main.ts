import { readFileSync } from "node:fs";
import process from "node:process";
import { Command, CommanderError } from "commander";
import { withCommonOptions } from "./command.ts";
import { EXIT, failureOf } from "./failure.ts";
import { FAMILIES } from "./families.ts";
import { Output } from "./output.ts";

/**
 * Carries out one call of the command. Sets the exit code and leaves ending to Node, so that
 * everything written gets out first.
 *
 * @param words the command line without the program
 */
export async function main(words: readonly string[]): Promise<void> {
  const program = await holdfast(words);
  // Help goes out without `Output`: a reader that has seen enough (`| head`) is no failure.
  process.stdout.on("error", () => {});
  try {
    if (words.length === 0) program.help({ error: true });
    await program.parseAsync(words, { from: "user" });
  } catch (error) {
    if (error instanceof CommanderError && isHelp(error)) {
      process.exitCode = error.exitCode === 0 ? EXIT.yes : EXIT.input;
      return;
    }
    const failure = failureOf(error, calledCommand(program, words));
    new Output(asksForJson(words)).fail(failure);
    process.exitCode = failure.exitCode;
  }
}

async function holdfast(words: readonly string[]): Promise<Command> {
  const program = withCommonOptions(new Command("holdfast"))
    .description("Keeps an agent's task alive when the process running it dies.")
    .version(ownVersion(), "--version", "print the version")
    .helpOption("-h, --help", "show how a command is called")
    .enablePositionalOptions()
    .configureOutput({ outputError: () => {} })
    .exitOverride()
    .addHelpText("after", `\n${HELP}`);
  const called = FAMILIES.filter(({ commands }) => commands.some((it) => words.includes(it)));
  const isUnknown = called.length === 0 && !words.includes("--version");
  const needsAll = isUnknown || words.some((word) => HELP_WORDS.includes(word));
  for (const { load } of needsAll ? FAMILIES : called) (await load())(program);
  return program;
}

const HELP_WORDS = ["-h", "--help", "help"];

const HELP = `Example:
  $ holdfast task start --summary 'Reject quantities below one' \\
      --criterion 'addItem(0) throws RangeError' --verify 'npm test'

Exit codes:
  0  yes                     3  the journal is damaged, missing or not writable
  1  a negative answer       4  another process was in the way: try again
  2  wrong usage or input    70 a bug of Holdfast
  exec passes the code of its command through, 128 + n for signal n.

With --json a failure is one document too: { "error": { code, message, remedy } }.

Environment:
  HOLDFAST_DIR                  the state folder itself
  HOLDFAST_SESSION              the session that asks, where --session is not given
  PIAGENT_AUTO_RECOVERY         on, off; an unknown value counts as off
  PIAGENT_PHASE_TOOLS           off, shadow, on; an unknown value counts as shadow
  PIAGENT_INTELLIGENCE_ENGINE   on, off; an unknown value counts as on
  NO_COLOR                      no colours`;

/** Beside the sources as beside the bundle, package.json stands two folders up. */
function ownVersion(): string {
  const file = new URL("../../package.json", import.meta.url);
  return (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;
}

function isHelp({ code }: CommanderError): boolean {
  return ["commander.help", "commander.helpDisplayed", "commander.version"].includes(code);
}

/** The command that was meant, as far as it is known: "task start". */
function calledCommand(program: Command, words: readonly string[]): string {
  const path: string[] = [];
  let command = program;
  for (const word of words) {
    const next = command.commands.find((it) => it.name() === word);
    if (next === undefined) continue;
    path.push(word);
    command = next;
    if (next.commands.length === 0) break;
  }
  return path.join(" ");
}

/** Also known where the words could not be parsed; what follows -- is another program's. */
function asksForJson(words: readonly string[]): boolean {
  const end = words.indexOf("--");
  return words.slice(0, end < 0 ? words.length : end).includes("--json");
}

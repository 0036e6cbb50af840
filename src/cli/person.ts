import crypto from "node:crypto";
import process from "node:process";
import readline from "node:readline";
import tty from "node:tty";
import { HoldfastError } from "../errors.ts";
import { isAgent } from "./environment.ts";

/** Whether someone sits at a terminal, and it is not an agent's. An accident brake, no proof. */
export function isPersonAtTerminal(): boolean {
  return tty.isatty(0) && tty.isatty(2) && !isAgent(process.env);
}

/**
 * Has a person confirm something by typing a word that is shown; false where nobody sits at a
 * terminal.
 *
 * @throws HoldfastError `input/invalid` when something else was typed
 */
export async function confirmedAtTerminal(what: string): Promise<boolean> {
  if (!isPersonAtTerminal()) return false;
  const word = crypto.randomBytes(2).toString("hex");
  const typed = await lineFromTerminal(`${what} Type ${word} to confirm: `);
  if (typed.trim() === word) return true;
  throw new HoldfastError(
    "input/invalid",
    "The word was not typed, so nothing was recorded.",
    "Repeat the call and type the word that is shown.",
  );
}

/** The line that was typed; empty when the terminal was closed instead. */
function lineFromTerminal(question: string): Promise<string> {
  const lines = readline.createInterface({ input: process.stdin, output: process.stderr });
  return new Promise((resolve) => {
    lines.once("close", () => resolve(""));
    lines.question(question, (line) => {
      resolve(line);
      lines.close();
    });
  });
}

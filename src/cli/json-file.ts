import { readFileSync } from "node:fs";
import { HoldfastError } from "../errors.ts";
import { reasonOf } from "./text.ts";

/** What a file is to hold: its name in a sentence, and an example of it. */
export interface Expected {
  readonly what: string;
  readonly example: string;
}

/**
 * The JSON in a file; `-` is stdin. What it says is checked by whoever takes it.
 *
 * @throws HoldfastError `input/unreadable`, `input/invalid`
 */
export function jsonFromFile(file: string, { what, example }: Expected): unknown {
  const name = file === "-" ? "stdin" : file;
  let text: string;
  try {
    text = readFileSync(file === "-" ? 0 : file, "utf8");
  } catch (cause) {
    throw new HoldfastError(
      "input/unreadable",
      `The ${what} ${name} can't be read: ${reasonOf(cause)}.`,
      `Name a file that holds a ${what} as JSON, or - for stdin.`,
      { cause },
    );
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new HoldfastError(
      "input/invalid",
      `The ${what} ${name} is no JSON: ${reasonOf(cause)}.`,
      `Write it as JSON, as in ${example}.`,
      { cause },
    );
  }
}

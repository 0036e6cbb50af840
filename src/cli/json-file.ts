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
  const text = textFromFile(file, `${what} as JSON`);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new HoldfastError(
      "input/invalid",
      `The ${what} ${nameOf(file)} is no JSON: ${reasonOf(cause)}.`,
      `Write it as JSON, as in ${example}.`,
      { cause },
    );
  }
}

/** @throws HoldfastError `input/unreadable` */
export function textFromFile(file: string, what: string): string {
  try {
    return readFileSync(file === "-" ? 0 : file, "utf8");
  } catch (cause) {
    throw new HoldfastError(
      "input/unreadable",
      `${nameOf(file)} can't be read: ${reasonOf(cause)}.`,
      `Name a file that holds a ${what}, or - for stdin.`,
      { cause },
    );
  }
}

const nameOf = (file: string) => (file === "-" ? "stdin" : file);

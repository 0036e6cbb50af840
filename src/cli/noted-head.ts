import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { HoldfastError } from "../errors.ts";
import type { Head } from "../journal/index.ts";
import { reasonOf } from "./text.ts";

/** Bytes of the end of a file that are looked at: more than two of the largest events. */
const READ_BYTES_MAX = 32 * 1024 * 1024;

/**
 * The head that a file states: a JSON document with `head` (what a command answered, a handoff, a
 * receipt), or an export, whose last whole line is its head.
 *
 * @throws HoldfastError `input/unreadable`, `input/invalid` where it states none
 */
export function headStatedIn(file: string): Head {
  const text = endOf(file);
  const head = headOf(jsonOf(text)) ?? headOfLast(text.split("\n"));
  if (head !== null) return head;
  throw new HoldfastError(
    "input/invalid",
    `${file} states no head: it is neither a document with a head nor an export.`,
    "Name a handoff, a receipt, an export, or what `holdfast journal head --json` printed.",
  );
}

function endOf(file: string): string {
  try {
    const descriptor = openSync(file, "r");
    try {
      const { size } = fstatSync(descriptor);
      const buffer = Buffer.alloc(Math.min(size, READ_BYTES_MAX));
      const bytes = readSync(descriptor, buffer, 0, buffer.length, size - buffer.length);
      return buffer.toString("utf8", 0, bytes);
    } finally {
      closeSync(descriptor);
    }
  } catch (cause) {
    throw new HoldfastError(
      "input/unreadable",
      `${file} can't be read: ${reasonOf(cause)}.`,
      "Name a file that states a head.",
      { cause },
    );
  }
}

/** Undefined for what is not JSON. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // Many lines, or none of it is what was asked for.
  }
}

/** A torn last line, which a cut-off export has and no line feed ends, is passed over; no other is. */
function headOfLast(lines: readonly string[]): Head | null {
  const unfinished = jsonOf(lines.at(-1) ?? "");
  return headOf(unfinished === undefined ? jsonOf(lines.at(-2) ?? "") : unfinished);
}

function headOf(value: unknown): Head | null {
  const { head, header, hash, receipt } = (value ?? {}) as Partial<Record<string, unknown>>;
  const { seq } = (header ?? {}) as { readonly seq?: unknown };
  return asHead(head) ?? asHead({ seq, hash }) ?? (receipt === undefined ? null : headOf(receipt));
}

function asHead(value: unknown): Head | null {
  const { seq, hash } = (value ?? {}) as { readonly seq?: unknown; readonly hash?: unknown };
  const isHead = Number.isSafeInteger(seq) && /^[0-9a-f]{64}$/.test(String(hash));
  return isHead ? { seq: Number(seq), hash: String(hash) } : null;
}

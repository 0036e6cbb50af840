/** A line of a file, without its line feed. */
export interface Line {
  /** Null where the bytes are not UTF-8, and where the line is too long. */
  readonly text: string | null;
  /**
   * What ended it: a line feed, the end of the file, or that it is longer than any line may be. Only
   * one that the file ended may have been cut off while it was written.
   */
  readonly end: "line-feed" | "file" | "too-long";
}

const LINE_FEED = 10;

/**
 * Cuts a file that comes in pieces into its lines. Of a line that is longer than `max` (characters or
 * bytes) no text comes, and where no end of it was found by then, nothing after it either: a line
 * without an end must not fill the memory.
 */
export function linesOf(
  chunks: Iterable<string> | Iterable<Uint8Array>,
  max: number,
): Generator<Line> {
  return cut(chunks as Iterable<string | Uint8Array>, max);
}

function* cut(chunks: Iterable<string | Uint8Array>, max: number): Generator<Line> {
  // Fails where TextDecoder would put U+FFFD in the place of a byte, and leaves a byte order mark in.
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const lineOf = (line: string | Uint8Array, end: "line-feed" | "file"): Line =>
    line.length > max ? TOO_LONG : { text: textOf(line, decoder), end };
  let rest: string | Uint8Array = "";
  for (const chunk of chunks) {
    const piece: string | Uint8Array =
      typeof chunk === "string" ? `${rest}${chunk}` : joined(rest, chunk);
    let from = 0;
    for (;;) {
      const end = indexOfEnd(piece, from);
      if (end < 0) break;
      yield lineOf(piece.slice(from, end), "line-feed");
      from = end + 1;
    }
    rest = piece.slice(from);
    if (rest.length > max) break;
  }
  if (rest.length > 0) yield lineOf(rest, "file");
}

const TOO_LONG: Line = { text: null, end: "too-long" };

const indexOfEnd = (piece: string | Uint8Array, from: number) =>
  typeof piece === "string" ? piece.indexOf("\n", from) : piece.indexOf(LINE_FEED, from);

function joined(rest: string | Uint8Array, chunk: Uint8Array): Uint8Array {
  if (rest.length === 0 || typeof rest === "string") return chunk;
  const both = new Uint8Array(rest.length + chunk.length);
  both.set(rest);
  both.set(chunk, rest.length);
  return both;
}

function textOf(
  line: string | Uint8Array,
  decoder: InstanceType<typeof TextDecoder>,
): string | null {
  if (typeof line === "string") return line;
  try {
    return decoder.decode(line);
  } catch {
    return null;
  }
}

import util from "node:util";

/**
 * Text from the journal or from a program, safe to show on a terminal: without escape sequences,
 * control characters and marks that reverse the direction of writing. Newlines and tabs stay.
 */
export function plain(text: string): string {
  return util
    .stripVTControlCharacters(text)
    .replaceAll(/[^\P{Cc}\n\t]|[\u2028-\u202e\u2066-\u2069]/gu, "");
}

/** The same on one line, at most `max` characters long. */
export function oneLine(text: string, max: number): string {
  const line = plain(text).replaceAll(/\s+/g, " ").trim();
  const characters = [...line];
  return characters.length <= max ? line : `${characters.slice(0, max - 1).join("")}…`;
}

/** Breaks a text at spaces into lines of at most `width` characters; longer words stand alone. */
function wrapped(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of plain(text).split(/\s+/)) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (line !== "" && [...longer].length > width) {
      lines.push(line);
      line = word;
    } else {
      line = longer;
    }
  }
  return [...lines, line];
}

/** A text with a label before its first line and the others aligned with it. */
export function labelled(label: string, text: string, width: number): string {
  const indent = " ".repeat(label.length);
  return wrapped(text, width - label.length)
    .map((line, index) => `${index === 0 ? label : indent}${line}`)
    .join("\n");
}

/** "1 event", "2 events". */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** What a failure says of itself. */
export function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

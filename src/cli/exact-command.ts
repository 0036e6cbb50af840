/** Characters that mean themselves to every POSIX shell. @see POSIX.1-2024, Shell, 2.2 Quoting */
const PLAIN_WORD = /^[A-Za-z0-9_@%+=:,./-]+$/;

/**
 * The text by which a command is known that runs without a shell: its words joined by a space,
 * each quoted only where a shell would read something else from it.
 */
export function exactText(words: readonly string[]): string {
  return words.map((word, index) => quoted(word, index === 0)).join(" ");
}

/** One word as a POSIX shell would take it. */
export function quoted(word: string, isProgram = false): string {
  // At the place of the program, NAME=VALUE would be an assignment.
  if (PLAIN_WORD.test(word) && !(isProgram && word.includes("="))) return word;
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

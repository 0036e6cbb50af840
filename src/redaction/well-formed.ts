/**
 * Replaces each half of a surrogate pair that stands alone by U+FFFD, so that the text has a UTF-8
 * form and one hash. Texts come in with such halves when output was cut in the middle of a pair.
 *
 * @see https://unicode.org/glossary/#replacement_character
 */
export function wellFormed(text: string): string {
  return text.toWellFormed();
}

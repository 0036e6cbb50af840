import { normaliseKey, sensitivityOf } from "./keys.ts";
import { LITERAL_LENGTH_MIN, REDACTION_MARKER } from "./limits.ts";
import { revealsNothing } from "./placeholders.ts";

/** A secret whose value is known, so that it can be found wherever it turns up. */
export type SecretLiteral = { readonly name: string; readonly value: string };

/**
 * Picks the variables of an environment that hold secrets, by their names.
 *
 * Values shorter than `LITERAL_LENGTH_MIN` and placeholders are left out, and so is `PWD`, which is
 * the current folder and no password.
 */
export function sensitiveEnvironment(
  env: Readonly<Record<string, string | undefined>>,
): readonly SecretLiteral[] {
  return Object.entries(env).flatMap(([name, value]) =>
    value !== undefined &&
    normaliseKey(name) !== "pwd" &&
    sensitivityOf(name) !== null &&
    isUsableLiteral(value)
      ? [{ name, value }]
      : [],
  );
}

/** Says that a value can be searched for without blanking out ordinary words or the marker. */
export function isUsableLiteral(value: string): boolean {
  return (
    value.length >= LITERAL_LENGTH_MIN &&
    value.trim().length >= LITERAL_LENGTH_MIN &&
    !REDACTION_MARKER.includes(value) &&
    !revealsNothing(value)
  );
}

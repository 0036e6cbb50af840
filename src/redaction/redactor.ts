import { findLabelledValues } from "./context.ts";
import { DETECTORS, findKnownShapes } from "./detectors.ts";
import { isUsableLiteral, type SecretLiteral } from "./environment.ts";
import { KEY_TRIGGER_SOURCE } from "./keys.ts";
import { PASSES_MAX, REDACTION_MARKER } from "./limits.ts";
import { replaceSpans, type Span } from "./spans.ts";
import { redactValue } from "./structure.ts";

/** Takes secrets out of texts and JSON-like values. Pure: the same input always gives the same output. */
export type Redactor = {
  /**
   * Redacts one text. `redacted` is true when something was replaced.
   *
   * A secret that was split over two chunks is only found in the joined text: join first.
   */
  text(text: string): { readonly text: string; readonly redacted: boolean };
  /**
   * Redacts every string in a JSON-like value, names of keys included, and every string under a
   * sensitive key. `redacted` counts the strings that changed. The very same reference comes back
   * when nothing changed. What is nested deeper than `DEPTH_MAX` becomes the marker.
   */
  value<T>(value: T): { readonly value: T; readonly redacted: number };
};

/** Matches where a detector or a key could first find something; in most texts nowhere. */
const SUSPICIOUS = new RegExp(
  [...new Set(DETECTORS.map(({ trigger }) => trigger)), KEY_TRIGGER_SOURCE].join("|"),
  "i",
);

/**
 * Makes a redactor.
 *
 * @param options.literals secret values to replace wherever they stand, as they are, as JSON text
 *   and as a part of a URL; too short ones, placeholders and parts of the marker are ignored
 */
export function createRedactor(
  options: { readonly literals?: readonly SecretLiteral[] } = {},
): Redactor {
  const literals = spellingsOf(options.literals ?? []);
  const redactText = (text: string): string => settle(text, literals);
  return {
    text: (text) => {
      const redacted = redactText(text);
      return { text: redacted, redacted: redacted !== text };
    },
    value: <T>(value: T) => {
      const result = redactValue(value, redactText);
      // The walk keeps the shape: it only puts strings in the place of strings.
      return { value: result.value as T, redacted: result.redacted };
    },
  };
}

/**
 * Redacts until nothing changes, so that redacting twice is redacting once: a marker can be longer
 * than the secret before it, and make a short value count as a long one.
 */
function settle(text: string, literals: readonly string[]): string {
  let settled = text;
  for (let pass = 0; pass < PASSES_MAX; pass += 1) {
    const spans = secretsIn(settled, literals);
    if (spans.length === 0) return settled;
    const next = replaceSpans(settled, spans);
    if (next === settled) return settled;
    settled = next;
  }
  return REDACTION_MARKER;
}

function secretsIn(text: string, literals: readonly string[]): readonly Span[] {
  const spans: Span[] = [];
  for (const literal of literals) findLiteral(text, literal, spans);
  const from = text.search(SUSPICIOUS);
  if (from >= 0) {
    findKnownShapes(text, from, spans);
    findLabelledValues(text, from, spans);
  }
  return spans;
}

function findLiteral(text: string, literal: string, spans: Span[]): void {
  let start = text.indexOf(literal);
  while (start >= 0) {
    const end = start + literal.length;
    spans.push({ start, end });
    start = text.indexOf(literal, end);
  }
}

/** Each literal as it is, inside JSON text and inside a URL; longer ones first. */
function spellingsOf(literals: readonly SecretLiteral[]): readonly string[] {
  const spellings = literals
    .map(({ value }) => value.trim())
    .filter(isUsableLiteral)
    .flatMap((value) => [
      value,
      JSON.stringify(value).slice(1, -1),
      encodeURIComponent(value.toWellFormed()),
    ]);
  return [...new Set(spellings)].sort((left, right) => right.length - left.length);
}

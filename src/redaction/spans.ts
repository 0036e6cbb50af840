import { REDACTION_MARKER } from "./limits.ts";

/** A part of a text that is secret: UTF-16 offsets, `end` not included. */
export type Span = { readonly start: number; readonly end: number };

/** Puts the marker in place of each span; spans that overlap or touch become one marker. */
export function replaceSpans(text: string, spans: readonly Span[]): string {
  const ordered = [...spans].sort((left, right) => left.start - right.start);
  const parts: string[] = [];
  let copiedTo = 0;
  let open: Span | null = null;
  for (const span of ordered) {
    if (open !== null && span.start <= open.end) {
      if (span.end > open.end) open = { start: open.start, end: span.end };
      continue;
    }
    if (open !== null) {
      parts.push(text.slice(copiedTo, open.start), REDACTION_MARKER);
      copiedTo = open.end;
    }
    open = span;
  }
  if (open !== null) {
    parts.push(text.slice(copiedTo, open.start), REDACTION_MARKER);
    copiedTo = open.end;
  }
  parts.push(text.slice(copiedTo));
  return parts.join("");
}

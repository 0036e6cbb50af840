import type { Paint, Style } from "../output.ts";
import { labelled } from "../text.ts";

/** A sign before a line; the words beside it say the same. */
export type Mark = "yes" | "no" | "open";

const MARKS: Readonly<Record<Mark, { readonly sign: string; readonly style: Style }>> = {
  yes: { sign: "✓", style: "green" },
  no: { sign: "✗", style: "red" },
  open: { sign: "·", style: "yellow" },
};

export function marked(mark: Mark, text: string, paint: Paint): string {
  const { sign, style } = MARKS[mark];
  return `${paint(style, sign)} ${text}`;
}

/** How wide a screen is taken to be. */
export const SCREEN_WIDTH = 80;

/** Characters from the start of a label to its value. */
export const LABEL_WIDTH = 12;

/** A value beside its label; without a label it belongs to the one above. */
export const field = (label: string, text: string) =>
  labelled(label.padEnd(LABEL_WIDTH), text, SCREEN_WIDTH);

/** Enough of a digest to tell it from others by eye. */
export const shortDigest = (digest: string | null) => digest?.slice(0, 12) ?? "unknown";

import { leftOutMark } from "../journal/index.ts";

/** The first `max` UTF-16 units of a text, never half of a surrogate pair. */
export function clipHead(text: string, max: number): string {
  if (text.length <= max) return text;
  return text.slice(0, isHighSurrogate(text, max - 1) ? max - 1 : max);
}

/** The last `max` UTF-16 units of a text, never half of a surrogate pair. */
export function clipTail(text: string, max: number): string {
  if (text.length <= max) return text;
  const start = text.length - max;
  return text.slice(isHighSurrogate(text, start - 1) ? start + 1 : start);
}

/** Both ends of a text that is too long, with the number of left-out characters between them. */
export function clipMiddle(text: string, max: number): string {
  if (text.length <= max) return text;
  const half = Math.floor(max / 2);
  const head = clipHead(text, half);
  const tail = clipTail(text, half);
  return head + leftOutMark(text.length - head.length - tail.length) + tail;
}

function isHighSurrogate(text: string, index: number): boolean {
  const unit = text.charCodeAt(index);
  return unit >= 0xd800 && unit <= 0xdbff;
}

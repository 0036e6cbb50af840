import { type Sensitivity, sensitivityOf } from "./keys.ts";
import { DEPTH_MAX, REDACTION_MARKER } from "./limits.ts";
import { revealsNothing } from "./placeholders.ts";

/** Redacts one text; the same string comes back when nothing changed. */
export type RedactText = (text: string) => string;

type Walk = { readonly redactText: RedactText; redacted: number };
type Keyed = { readonly [name: string]: unknown };
type Entry = readonly [name: string, value: unknown];

/**
 * Redacts every string below a value, and strings under sensitive keys whatever they look like.
 *
 * Shape, order, array lengths and all other leaves stay. What did not change is shared with the
 * input, not copied. An own key `__proto__` stays an own key.
 */
export function redactValue(
  value: unknown,
  redactText: RedactText,
): { value: unknown; redacted: number } {
  const walk: Walk = { redactText, redacted: 0 };
  return { value: redactNode(walk, value, null, 0), redacted: walk.redacted };
}

/** @param cover the sensitive key that the node stands under, if any */
function redactNode(walk: Walk, node: unknown, cover: Sensitivity | null, depth: number): unknown {
  if (typeof node === "string") return redactLeaf(walk, node, cover);
  if (typeof node !== "object" || node === null || ArrayBuffer.isView(node)) return node;
  if (depth > DEPTH_MAX) {
    walk.redacted += 1;
    return REDACTION_MARKER;
  }
  if (Array.isArray(node)) return redactArray(walk, node, cover, depth);
  return redactObject(walk, node as Keyed, cover?.coversObjects === true ? cover : null, depth);
}

function redactLeaf(walk: Walk, text: string, cover: Sensitivity | null): string {
  const redacted =
    cover !== null && !revealsNothing(text) ? REDACTION_MARKER : walk.redactText(text);
  if (redacted !== text) walk.redacted += 1;
  return redacted;
}

function redactArray(
  walk: Walk,
  array: readonly unknown[],
  cover: Sensitivity | null,
  depth: number,
): readonly unknown[] {
  let copy: unknown[] | null = null;
  for (let index = 0; index < array.length; index += 1) {
    const node = array[index];
    const redacted = redactNode(walk, node, cover ?? optionBefore(array, index), depth + 1);
    if (redacted === node) continue;
    copy ??= array.slice();
    copy[index] = redacted;
  }
  return copy ?? array;
}

/** The sensitive option that the element is the value of, as in `["mysql", "--password", "…"]`. */
function optionBefore(array: readonly unknown[], index: number): Sensitivity | null {
  const option = array[index - 1];
  const value = array[index];
  if (typeof option !== "string" || !option.startsWith("--")) return null;
  if (typeof value !== "string" || value.startsWith("-") || !/^--[\w-]+$/.test(option)) return null;
  return sensitivityOf(option);
}

function redactObject(walk: Walk, object: Keyed, cover: Sensitivity | null, depth: number): Keyed {
  const names = Object.keys(object);
  let entries: Entry[] | null = null;
  for (const [index, name] of names.entries()) {
    const node = object[name];
    const redacted = isMedia(object, name, node)
      ? node
      : redactNode(walk, node, cover ?? sensitivityOf(name), depth + 1);
    const redactedName = redactLeaf(walk, name, null);
    if (redacted !== node || redactedName !== name) {
      entries ??= names.slice(0, index).map((earlier) => [earlier, object[earlier]]);
    }
    entries?.push([redactedName, redacted]);
  }
  return entries === null ? object : copyOf(object, withDistinctNames(entries, names));
}

/** A name that was redacted and then equals another one becomes the marker with a number. */
function withDistinctNames(entries: readonly Entry[], names: readonly string[]): readonly Entry[] {
  const taken = new Set(names);
  let number = 2;
  return entries.map(([name, node], index): Entry => {
    if (name === names[index]) return [name, node];
    let distinct = name;
    while (taken.has(distinct)) {
      distinct = `${REDACTION_MARKER}#${number}`;
      number += 1;
    }
    taken.add(distinct);
    return [distinct, node];
  });
}

/** Defines each entry, since assigning to `__proto__` would set the prototype instead. */
function copyOf(object: Keyed, entries: readonly Entry[]): Keyed {
  const copy: Keyed = Object.create(Object.getPrototypeOf(object));
  for (const [name, value] of entries) {
    Object.defineProperty(copy, name, {
      value,
      writable: true,
      enumerable: true,
      configurable: true,
    });
  }
  return copy;
}

/** The bytes of a picture, sound or film, which are never text. */
function isMedia(object: Keyed, name: string, node: unknown): boolean {
  if (name !== "data" || typeof node !== "string") return false;
  const type = object.mimeType ?? object.mediaType ?? object.media_type;
  return (
    typeof type === "string" &&
    /^(?:image|audio|video|font)\//.test(type) &&
    /^[A-Za-z0-9+/=\r\n]*$/.test(node)
  );
}

import { FOLDER_UNKNOWN } from "../evidence/index.ts";
import type { JsonObject } from "../journal/index.ts";
import type { EventType } from "./decision.ts";

/** Brings one older shape of an event's body to today's. */
interface Upcaster {
  /** Whether a body has the older shape. */
  readonly from: (body: JsonObject) => boolean;
  /** The same in today's shape. What the older one did not say is unknown; nothing is made up. */
  readonly upcast: (body: JsonObject) => JsonObject;
}

/** By type, oldest shape first: each takes what the one before it gives. */
const UPCASTERS: { readonly [T in EventType]?: readonly Upcaster[] } = {
  "tool.requested": [{ from: isWithoutFolder, upcast: withFolderUnknown }],
  "command.observed": [{ from: isWithoutFolder, upcast: withFolderUnknown }],
  "evidence.bound": [
    {
      from: ({ observation }) => isObject(observation) && isWithoutFolder(observation),
      upcast: (body) => ({
        ...body,
        observation: withFolderUnknown(body.observation as JsonObject),
      }),
    },
  ],
};

/**
 * A stored body as this version folds it; the same object where it has today's shape. What is stored,
 * and hashed, stays as it is.
 */
export function upcast(type: EventType, body: JsonObject): JsonObject {
  const upcasters = UPCASTERS[type] ?? [];
  return upcasters.reduce((older, { from, upcast: up }) => (from(older) ? up(older) : older), body);
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isWithoutFolder(body: JsonObject): boolean {
  return !Object.hasOwn(body, "folder");
}

function withFolderUnknown(body: JsonObject): JsonObject {
  return { ...body, folder: FOLDER_UNKNOWN };
}

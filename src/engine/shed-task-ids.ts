import { slugOf, TASK_ID_MAX } from "../contract/index.ts";
import {
  JOURNAL_COMPACTED,
  type JsonObject,
  type JsonValue,
  SHED_TEXT_MIN,
} from "../journal/index.ts";

/** Events that name tasks by their ids. */
const NAMING: readonly string[] = ["task.started", JOURNAL_COMPACTED];

export function namesTasks(type: string): boolean {
  return NAMING.includes(type);
}

/**
 * Whether the id of a task that a body names was made of words of a text: the text itself is not in
 * it, since an id is all lower case, with a hyphen for whatever is neither letter nor digit.
 */
export function namesTaskByWords(body: JsonObject | null, text: string): boolean {
  const words = slugOf(text);
  if (words.length < SHED_TEXT_MIN) return false;
  return taskIdsIn(body).some((id) => id.includes(words) || isCutOffWithin(id, words));
}

/** Whether an id that was cut to its longest, before the end of its run's id, ends within the words. */
function isCutOffWithin(id: string, words: string): boolean {
  // A hyphen at the cut is taken away as well.
  if (id.length < TASK_ID_MAX - 1) return false;
  const kept = id.slice(0, id.lastIndexOf("-"));
  for (let length = SHED_TEXT_MIN; length < words.length; length++) {
    if (kept.endsWith(words.slice(0, length))) return true;
  }
  return false;
}

function taskIdsIn(value: JsonValue): readonly string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    name === "taskId" && typeof inner === "string" ? [inner] : taskIdsIn(inner),
  );
}

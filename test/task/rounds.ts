import type { JsonValue, StoredEvent } from "../../src/journal/index.ts";
import type { Project } from "./project.ts";

/**
 * A long history of one run that does the same round again and again. A few rounds are decided, and
 * the others are those counted on: what grew from one round to the next goes on growing by as much.
 *
 * @param project stands where the first round begins
 * @param play one round
 */
export function inRounds(
  project: Project,
  play: (project: Project) => void,
  length: number,
): readonly StoredEvent[] {
  const round = (): Round => {
    const begin = project.events.length;
    play(project);
    return { begin, events: project.events.slice(begin) };
  };
  // What it meets for the first time is known in those after it; the second begins where a round ends.
  round();
  round();
  const [second, third, fourth] = [round(), round(), round()];
  const eventAt = (at: number): StoredEvent => {
    const index = at % second.events.length;
    const one = second.events[index] as StoredEvent;
    const next = third.events[index] as StoredEvent;
    return eventOf(one, next, Math.floor(at / second.events.length));
  };
  if (
    fourth.events.some((real, index) => !isSame(real, eventAt(2 * second.events.length + index)))
  ) {
    throw new Error("The rounds do not follow from one another.");
  }
  const before = project.events.slice(0, second.begin);
  return [...before, ...Array.from({ length: length - before.length }, (_, at) => eventAt(at))];
}

interface Round {
  readonly begin: number;
  readonly events: readonly StoredEvent[];
}

function eventOf(one: StoredEvent, next: StoredEvent, times: number): StoredEvent {
  const at = msOf(one) + times * (msOf(next) - msOf(one));
  const { header, body } = counted(
    { header: { ...one.header, at: "" }, body: one.body } as unknown as JsonValue,
    { header: { ...next.header, at: "" }, body: next.body } as unknown as JsonValue,
    times,
  ) as unknown as StoredEvent;
  return { header: { ...header, at: new Date(at).toISOString() }, hash: one.hash, body };
}

const msOf = ({ header }: StoredEvent) => Date.parse(header.at);

function counted(one: JsonValue, next: JsonValue, times: number): JsonValue {
  if (typeof one === "number" && typeof next === "number") return one + times * (next - one);
  if (typeof one === "string" && typeof next === "string") return textOf(one, next, times);
  if (Array.isArray(one) && Array.isArray(next)) {
    return one.map((part, index) => counted(part, next[index] as JsonValue, times));
  }
  if (typeof one !== "object" || one === null) return one;
  const others = next as Readonly<Record<string, JsonValue>>;
  return Object.fromEntries(
    Object.entries(one).map(([name, part]) => [
      name,
      counted(part, others[name] as JsonValue, times),
    ]),
  );
}

/** Counts on the numbers in a text, as in an id, each as wide as it was. */
function textOf(one: string, next: string, times: number): string {
  if (one === next) return one;
  const numbers = next.match(/\d+/g) ?? [];
  let index = 0;
  return one.replaceAll(/\d+/g, (number) => {
    const by = Number(numbers[index++]) - Number(number);
    return String(Number(number) + times * by).padStart(number.length, "0");
  });
}

function isSame(real: StoredEvent, other: StoredEvent): boolean {
  const textOfEvent = ({ header, body }: StoredEvent) => JSON.stringify([header, body]);
  return textOfEvent(real) === textOfEvent(other);
}

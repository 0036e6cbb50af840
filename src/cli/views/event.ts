import type { StoredEvent } from "../../journal/index.ts";
import { oneLine, plain } from "../text.ts";

/** One line for one event: seq, time, type and what it says in short. */
export function eventLine(event: StoredEvent, columns: number): string {
  const { seq, at, type } = event.header;
  const time = at.replace(/\.\d+Z$/, "Z");
  const start = `${String(seq).padStart(5)}  ${time}  ${plain(type).padEnd(16)}  `;
  return (start + oneLine(shortText(event), Math.max(10, columns - start.length))).trimEnd();
}

/** All of one event, for people. */
export function eventText({ header, hash, body }: StoredEvent): string {
  const fields = Object.entries({ ...header, hash }).map(
    ([name, value]) => `${name.padEnd(12)}${plain(String(value ?? "-"))}`,
  );
  const output = outputOf(body);
  const rest = output === null ? body : { ...body, output: "(below)" };
  return [
    ...fields,
    body === null ? "The body was shed." : plain(JSON.stringify(rest, null, 2)),
    ...(output === null ? [] : ["--- output", plain(output).trimEnd()]),
  ].join("\n");
}

type Body = NonNullable<StoredEvent["body"]>;

/** What each type says in short; a type that is not here says nothing. */
const SHORT: Readonly<Record<string, (body: Body) => string>> = {
  "journal.opened": ({ journal }) => `journal ${journal}`,
  "task.started": ({ contract }) => {
    const { taskId, attempt, summary } = contract as Body;
    return `${taskId}, attempt ${attempt}: ${summary}`;
  },
  "task.taken-over": ({ epoch, reason }) => `epoch ${epoch}: ${reason}`,
  "task.concluded": ({ outcome, reason }) =>
    reason === null ? `${outcome}` : `${outcome}: ${reason}`,
  "criteria.pinned": ({ graph }) => `graph ${(graph as Body).graphDigest}`,
  "phase.entered": ({ from, to }) => `${from} → ${to}`,
  "tool.requested": ({ tool, command }) => `${tool}: ${command}`,
  "command.observed": ({ command, verdict, exitCode, signal, reason }) => {
    const end = signal ?? (exitCode === null ? null : `exit ${exitCode}`);
    const why = [end, reason].filter((part) => part !== null && part !== undefined);
    return `${verdict}${why.length === 0 ? "" : ` (${why.join(", ")})`}: ${command}`;
  },
  "evidence.bound": ({ criterion, kind, reference }) => {
    const { type, seq, command, path } = reference as Body;
    return `${criterion} ${kind} by ${type} ${seq ?? command ?? path}`;
  },
  "call.settled": ({ requestedSeq, as, reason }) => `event ${requestedSeq} ${as}: ${reason}`,
  "gate.evaluated": ({ decision, missing }) =>
    `${decision}${Array.isArray(missing) && missing.length > 0 ? `, ${missing.length} missing` : ""}`,
};

function shortText({ header, body }: StoredEvent): string {
  if (body === null) return "(the body was shed)";
  const short = Object.hasOwn(SHORT, header.type) ? SHORT[header.type] : undefined;
  try {
    return short?.(body) ?? "";
  } catch {
    return ""; // A body of another shape than this version writes.
  }
}

function outputOf(body: StoredEvent["body"]): string | null {
  const output = body?.output as { head?: unknown; tail?: unknown; bytes?: unknown } | undefined;
  if (typeof output?.head !== "string" || typeof output.tail !== "string") return null;
  if (output.tail === "") return output.head;
  return `${output.head}\n… (${output.bytes} bytes in all)\n${output.tail}`;
}

import type { ShedBody, StoredEvent } from "../../journal/index.ts";
import { oneLine, plain } from "../text.ts";

/** One line for one event: seq, time, type and what it says in short. */
export function eventLine(
  event: StoredEvent,
  columns: number,
  shed: ShedBody | null = null,
): string {
  const { seq, at, type } = event.header;
  const time = at.replace(/\.\d+Z$/, "Z");
  const start = `${String(seq).padStart(5)}  ${time}  ${plain(type).padEnd(16)}  `;
  const text = shed === null ? shortText(event) : `(${shedText(shed)}) ${shortText(event)}`;
  return (start + oneLine(text, Math.max(10, columns - start.length))).trimEnd();
}

/** All of one event, for people. */
export function eventText(
  { header, hash, body }: StoredEvent,
  shed: ShedBody | null = null,
): string {
  const fields = Object.entries({ ...header, hash }).map(
    ([name, value]) => `${name.padEnd(12)}${plain(String(value ?? "-"))}`,
  );
  const output = outputOf(body);
  const rest = output === null ? body : { ...body, output: "(below)" };
  return [
    ...fields,
    ...(shed === null ? [] : [plain(`taken out   ${shedText(shed)}`)]),
    body === null ? "Nothing stands for the body." : plain(JSON.stringify(rest, null, 2)),
    ...(output === null ? [] : ["--- output", plain(output).trimEnd()]),
  ].join("\n");
}

const shedText = ({ by, at, reason }: ShedBody) => `shed ${at} by event ${by}: ${reason}`;

type Body = NonNullable<StoredEvent["body"]>;

function reasonText({ reason }: Body): string {
  return reason === null ? "" : `${reason}`;
}

/** What each type says in short; a type that is not here says nothing. */
const SHORT: Readonly<Record<string, (body: Body) => string>> = {
  "journal.opened": ({ journal }) => `journal ${journal}`,
  "journal.shed": ({ items, reason }) =>
    `${Array.isArray(items) ? items.length : "?"} shed: ${reason}`,
  "journal.compacted": ({ removed, through }) =>
    `${removed} removed, up to event ${(through as Body).seq}`,
  "task.started": ({ contract, migratedFrom }) => {
    const { taskId, attempt, summary } = contract as Body;
    const from = migratedFrom === undefined ? "" : " (from version 1)";
    return `${taskId}, attempt ${attempt}${from}: ${summary}`;
  },
  "task.taken-over": ({ epoch, reason }) => `epoch ${epoch}: ${reason}`,
  "task.paused": reasonText,
  "task.continued": reasonText,
  "task.abandoned": reasonText,
  "task.concluded": ({ outcome, reason }) =>
    reason === null ? `${outcome}` : `${outcome}: ${reason}`,
  "criteria.pinned": ({ graph }) => `graph ${(graph as Body).graphDigest}`,
  "criteria.proposed": ({ amendment, reason }) => `${amendment}: ${reason}`,
  "criteria.amended": ({ amendment, reason }) => `${amendment}: ${reason}`,
  "scope.narrowed": ({ scope, reason }) =>
    `${Array.isArray(scope) ? scope.join(", ") : ""}: ${reason}`,
  "instruction.given": ({ by, text }) => `${by}: ${text}`,
  "phase.entered": ({ from, to }) => `${from} → ${to}`,
  "phase.tool-differed": ({ tool, phase, refusal, enforced }) =>
    `${tool} in ${phase}: ${refusal}${enforced === true ? ", refused" : ""}`,
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
  "plan.recorded": ({ plan }) =>
    Array.isArray(plan) ? plan.map((step: Body) => step.id).join(", ") : "",
  "plan.step-moved": ({ step, from, to }) => `${step}: ${from} → ${to}`,
  "criterion.judged": ({ criterion, as, reason }) => `${criterion} ${as}: ${reason}`,
  "call.settled": ({ requestedSeq, as, reason }) => `event ${requestedSeq} ${as}: ${reason}`,
  "gate.evaluated": ({ decision, missing }) =>
    `${decision}${Array.isArray(missing) && missing.length > 0 ? `, ${missing.length} missing` : ""}`,
};

function shortText({ header, body }: StoredEvent): string {
  if (body === null) return "(nothing stands for it)";
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

import type { Problem } from "./chain.ts";
import { type EventRow, FORMAT_VERSION, JOURNAL_OPENED } from "./event.ts";

/**
 * What is wrong with where an event stands: a journal's first event opens it, in this format, and no
 * other does. Null means nothing.
 */
export function openingProblem({ header, bodyText }: EventRow): Problem | null {
  const { seq, type } = header;
  const isOpening = type === JOURNAL_OPENED;
  if (seq !== 1) {
    if (!isOpening) return null;
    const message = `Event ${seq} is a second ${JOURNAL_OPENED}: a journal is opened once.`;
    return { seq, code: "content", message };
  }
  if (!isOpening) {
    const message = `The first event has to be ${JOURNAL_OPENED}; it is ${type}.`;
    return { seq, code: "content", message };
  }
  const { format } = JSON.parse(bodyText ?? "{}") as { readonly format?: unknown };
  if (format === FORMAT_VERSION) return null;
  return {
    seq,
    code: Number(format) > FORMAT_VERSION ? "newer" : "content",
    message: `The journal says that its format is ${JSON.stringify(format)}; this program reads ${FORMAT_VERSION}.`,
  };
}

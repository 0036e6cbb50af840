// Compiled in a folder that has nothing but the installed package: its types as a stranger's
// compiler sees them.
import {
  type Expected,
  HoldfastError,
  openEngine,
  type ParsedExport,
  parseExport,
  portableSha256,
  verifyRows,
} from "holdfast";
import { type StoreTest, storeConformance } from "holdfast/conformance";

export async function opens(projectDir: string): Promise<string> {
  try {
    const engine = await openEngine({ projectDir });
    await engine.close();
    return "open";
  } catch (error) {
    return error instanceof HoldfastError ? error.code : "unknown";
  }
}

/** What reads and checks an export, with the types of what it is given and gives. */
export async function holds(text: string, expected: Expected): Promise<boolean> {
  const parsed: ParsedExport = parseExport([text], portableSha256);
  const { problemCount } = await verifyRows(parsed.rows, portableSha256, expected);
  // @ts-expect-error Whether a line was torn off is told, and not to be said.
  parsed.torn = false;
  return problemCount === 0 && !parsed.torn;
}

export const proofs: readonly StoreTest[] = storeConformance;

// @ts-expect-error A folder is a text. If the types came out as `any`, nothing would be refused.
export const refused = openEngine({ projectDir: 1 });

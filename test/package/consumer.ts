// Compiled in a folder that has nothing but the installed package: its types as a stranger's
// compiler sees them.
import { HoldfastError, openEngine } from "holdfast";
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

export const proofs: readonly StoreTest[] = storeConformance;

// @ts-expect-error A folder is a text. If the types came out as `any`, nothing would be refused.
export const refused = openEngine({ projectDir: 1 });

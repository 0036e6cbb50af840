import type { TSchema } from "typebox";
import { type ErrorCode, HoldfastError } from "../errors.ts";

/** Schemas are slow to load, so what exactly is wrong is looked up only once something is. */
const SCHEMAS = {
  draft: async () => (await import("../contract/schemas.ts")).TaskDraftSchema,
  command: async (value: unknown) => {
    const schemas = await import("../task/schemas.ts");
    const type = (value as { type?: unknown } | null)?.type;
    const branch = (schemas.CommandSchema.anyOf as readonly TSchema[]).find(
      (schema) =>
        (schema as { properties?: { type?: { const?: unknown } } }).properties?.type?.const ===
        type,
    );
    return branch ?? schemas.CommandSchema;
  },
} as const;

/** An error that says which field is wrong and why. */
export async function invalidInput(
  what: keyof typeof SCHEMAS,
  value: unknown,
  code: ErrorCode,
): Promise<HoldfastError> {
  const [{ Errors }, schema] = await Promise.all([
    import("typebox/value"),
    SCHEMAS[what](value) as Promise<TSchema>,
  ]);
  const errors = [...Errors(schema, value)];
  // An unknown field is told by two errors: the one that names it is of use.
  const unknownField = errors.find(({ keyword }) => keyword === "boolean");
  if (unknownField !== undefined) {
    const known = Object.keys((schema as { properties?: object }).properties ?? {}).join(", ");
    return new HoldfastError(
      code,
      `The ${what} has a field that does not exist: ${unknownField.instancePath.slice(1)}.`,
      `Leave it out, or use one of: ${known}.`,
    );
  }
  const first = errors.find(({ keyword }) => keyword !== "anyOf") ?? errors[0];
  const missing = (first?.params as { requiredProperties?: readonly string[] })?.requiredProperties;
  const at = first === undefined || first.instancePath === "" ? "" : ` at ${first.instancePath}`;
  const why =
    missing === undefined ? (first?.message ?? "has another shape") : `lacks ${missing.join(", ")}`;
  return new HoldfastError(
    code,
    `The ${what} is not valid${at}: it ${why}.`,
    `Correct it${at === "" ? "" : ` ${at.trim()}`} and repeat the call.`,
  );
}

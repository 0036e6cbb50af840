import type { TSchema } from "typebox";
import { type ErrorCode, HoldfastError } from "../errors.ts";

/** Schemas are slow to load, so what exactly is wrong is looked up only once something is. */
const SCHEMAS = {
  draft: async () => (await import("../contract/schemas.ts")).TaskDraftSchema,
  command: async (value: unknown) => {
    const { CommandSchema } = await import("../task/schemas.ts");
    const branches = CommandSchema.anyOf.map((schema) => ({
      schema,
      type: schema.properties.type.const,
    }));
    const said = (value as { type?: unknown } | null)?.type;
    const types = branches.map(({ type }) => type);
    const known = { type: "object", required: ["type"], properties: { type: { enum: types } } };
    return branches.find(({ type }) => type === said)?.schema ?? known;
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
    return new HoldfastError(
      code,
      `The ${what} has a field that does not exist: ${unknownField.instancePath.slice(1)}.`,
      `Leave it out. The ${what} itself takes ${fieldsOf(schema)}.`,
    );
  }
  // Where several shapes are allowed, the error deepest down belongs to the one that was meant.
  const told = errors.filter(({ keyword }) => keyword !== "anyOf");
  const first = told.toSorted((one, other) => depthOf(other) - depthOf(one))[0] ?? errors[0];
  const at = first === undefined || first.instancePath === "" ? "" : ` at ${first.instancePath}`;
  const why = first === undefined ? "has another shape" : reasonOf(first);
  return new HoldfastError(
    code,
    `The ${what} is not valid${at}: it ${why}.`,
    `Correct it${at === "" ? "" : ` ${at.trim()}`} and repeat the call.`,
  );
}

type SchemaError = ReturnType<typeof import("typebox/value")["Errors"]>[number];

function depthOf({ instancePath }: SchemaError): number {
  return instancePath.split("/").length;
}

function reasonOf({ params, message }: SchemaError): string {
  const { requiredProperties, allowedValues } = params as {
    readonly requiredProperties?: readonly string[];
    readonly allowedValues?: readonly unknown[];
  };
  if (requiredProperties !== undefined) return `lacks ${requiredProperties.join(", ")}`;
  return allowedValues === undefined ? message : `${message}: ${allowedValues.join(", ")}`;
}

function fieldsOf(schema: TSchema): string {
  return Object.keys((schema as { properties?: object }).properties ?? {}).join(", ");
}

import type { TSchema } from "typebox";
import { Errors } from "typebox/value";
import { ContractV1Schema, TaskDraftSchema } from "../contract/schemas.ts";
import { CommandSchema } from "../task/schemas.ts";

/** Inputs that can be explained; the contract is one of version 1. */
export type Explained = "draft" | "contract" | "command";

/** What is wrong with an input, and what to do about it. */
export interface Explanation {
  readonly message: string;
  readonly remedy: string;
}

/**
 * Says which field of a wrong input is wrong and why.
 *
 * Loaded by `import()` only once something is wrong: the schemas and their library take longer to
 * load than most calls take. For the same reason it makes no error itself: in the bundle of the
 * command it stands in a file of its own.
 */
export function explain(what: Explained, value: unknown): Explanation {
  const schema = schemaOf(what, value);
  const errors = [...Errors(schema, value)];
  // An unknown field is told by two errors: the one that names it is of use.
  const unknownField = errors.find(({ keyword }) => keyword === "boolean");
  if (unknownField !== undefined) {
    return {
      message: `The ${what} has a field that does not exist: ${unknownField.instancePath.slice(1)}.`,
      remedy: `Leave it out. The ${what} itself takes ${fieldsOf(schema)}.`,
    };
  }
  // Where several shapes are allowed, the error deepest down belongs to the one that was meant.
  const told = errors.filter(({ keyword }) => keyword !== "anyOf");
  const first = told.toSorted((one, other) => depthOf(other) - depthOf(one))[0] ?? errors[0];
  const at = first === undefined || first.instancePath === "" ? "" : ` at ${first.instancePath}`;
  const why = first === undefined ? "has another shape" : reasonOf(first);
  return {
    message: `The ${what} is not valid${at}: it ${why}.`,
    remedy: `Correct it${at === "" ? "" : ` ${at.trim()}`} and repeat the call.`,
  };
}

function schemaOf(what: Explained, value: unknown): TSchema {
  switch (what) {
    case "draft":
      return TaskDraftSchema;
    case "contract":
      return ContractV1Schema;
    case "command":
      return commandSchema(value);
  }
}

/** The schema of the command that was meant, by its type. */
function commandSchema(value: unknown): TSchema {
  const branches = CommandSchema.anyOf.map((schema) => ({
    schema,
    type: schema.properties.type.const,
  }));
  const said = (value as { type?: unknown } | null)?.type;
  const types = branches.map(({ type }) => type);
  const known = { type: "object", required: ["type"], properties: { type: { enum: types } } };
  return branches.find(({ type }) => type === said)?.schema ?? known;
}

type SchemaError = ReturnType<typeof Errors>[number];

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

/** Parts that the schemas of several folders are made of. Loaded only where schemas are compiled or explained. */
import Type from "typebox";

/** Unknown fields make a value invalid. */
export const closed = { additionalProperties: false } as const;

/** SHA-256 as lower-case hex. */
export const Hash = Type.String({ pattern: "^[0-9a-f]{64}$" });

/** A UUID as lower-case text. */
export const Uuid = Type.String({
  pattern: "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
});

/** Lower-case words joined by hyphens. */
export const SLUG_PATTERN = "^[a-z0-9]+(-[a-z0-9]+)*$";

export const Count = Type.Integer({ minimum: 0 });

/** The position of an event. */
export const Seq = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });

export const Text = (maxLength: number, minLength = 0) => Type.String({ minLength, maxLength });

/** A path whose content differs from a commit, and what is there; null: it was deleted. */
export const PathDifference = Type.Object(
  { path: Type.String(), entry: orNull(Type.String()) },
  closed,
);

/** A position among the criteria, as an id: `criterion-01` … */
export const CriterionId = Type.String({ pattern: "^criterion-\\d{2}$" });

export function orNull<T extends Type.TSchema>(schema: T) {
  return Type.Union([schema, Type.Null()]);
}

/** One of a closed list of texts. */
export function oneOf<const T extends string[]>(...values: T): Type.TEnum<T> {
  return Type.Enum(values) as unknown as Type.TEnum<T>;
}

/** What a schema accepts, as a type: nothing of it is changed in place, however deep it lies. */
export type Static<Schema extends Type.TSchema> = Unchanging<Type.Static<Schema>>;

type Unchanging<Value> = Value extends readonly (infer Entry)[]
  ? readonly Unchanging<Entry>[]
  : Value extends object
    ? { readonly [Name in keyof Value]: Unchanging<Value[Name]> }
    : Value;

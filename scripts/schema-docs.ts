import { readFileSync } from "node:fs";
import { type Expression, type ObjectExpression, type Program, parseSync } from "oxc-parser";
import type { TSchema } from "typebox";

/** The parts of a schema that hold further ones. */
interface Parts {
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly patternProperties?: Readonly<Record<string, TSchema>>;
  readonly items?: TSchema;
  readonly anyOf?: readonly TSchema[];
}

/** The exports of a module by their names. */
type Exported = Readonly<Record<string, unknown>>;

/**
 * What the documentation comments of the sources say, by what they stand above: an exported schema,
 * or a field in the definition of one. A schema that is part of another is the same object there.
 */
export class SchemaDocs {
  readonly #ofSchema = new Map<unknown, string>();
  readonly #ofField = new Map<unknown, Map<string, string>>();
  /** The schemas whose fields a schema takes over by `...OtherSchema.properties`. */
  readonly #takenOver = new Map<unknown, string[]>();
  readonly #byName = new Map<string, unknown>();

  /** Reads the comments of one module. */
  read(file: string, exported: Exported): void {
    const text = readFileSync(file, "utf8");
    const { comments, program } = parseSync(file, text);
    const above = (start: number): string | undefined => {
      const comment = comments.findLast(({ end }) => end <= start);
      if (comment === undefined || !comment.value.startsWith("*")) return undefined;
      return text.slice(comment.end, start).trim() === "" ? sentencesOf(comment.value) : undefined;
    };
    const constants = constantsIn(program);
    for (const [name, { start, value }] of constants) {
      const schema = exported[name];
      if (schema === undefined) continue;
      this.#byName.set(name, schema);
      const said = above(start);
      if (said !== undefined && name.endsWith("Schema")) this.#ofSchema.set(schema, said);
      this.#walk(value, schema as TSchema, { above, constants });
    }
  }

  /** A copy with a `description` wherever something is said. */
  described(schema: TSchema, said = this.#ofSchema.get(schema)): TSchema {
    const { properties, patternProperties, items, anyOf } = schema as Parts;
    return {
      ...(said === undefined ? {} : { description: said }),
      ...schema,
      ...(properties && {
        properties: mapped(properties, (it, name) => this.described(it, this.#field(schema, name))),
      }),
      ...(patternProperties && {
        patternProperties: mapped(patternProperties, (it) => this.described(it)),
      }),
      ...(items && { items: this.described(items) }),
      ...(anyOf && { anyOf: anyOf.map((it) => this.described(it)) }),
    };
  }

  #field(owner: unknown, name: string): string | undefined {
    const own = this.#ofField.get(owner)?.get(name);
    if (own !== undefined) return own;
    for (const other of this.#takenOver.get(owner) ?? []) {
      const said = this.#field(this.#byName.get(other), name);
      if (said !== undefined) return said;
    }
    return undefined;
  }

  /** Follows a definition and the schema that it made side by side. */
  #walk(value: Expression, schema: TSchema | undefined, source: Source): void {
    if (value.type !== "CallExpression" || schema === undefined) return;
    const first = value.arguments[0];
    if (first === undefined || first.type === "SpreadElement") return;
    const { items, anyOf } = schema as Parts;
    switch (nameOf(value.callee)) {
      case "Object":
        if (first.type === "ObjectExpression") this.#walkFields(first, schema, source);
        break;
      case "Array":
        this.#walk(first, items, source);
        break;
      case "Optional":
        this.#walk(first, schema, source);
        break;
      case "orNull":
        this.#walk(first, anyOf?.[0], source);
        break;
      case "Union":
        if (first.type !== "ArrayExpression") break;
        for (const [index, element] of first.elements.entries()) {
          if (element === null || element.type === "SpreadElement") continue;
          this.#walk(element, anyOf?.[index], source);
        }
    }
  }

  #walkFields(fields: ObjectExpression, owner: TSchema, source: Source): void {
    for (const field of fields.properties) {
      if (field.type === "SpreadElement") {
        this.#walkSpread(field.argument, owner, source);
        continue;
      }
      const name = field.key.type === "Identifier" ? field.key.name : "";
      const said = source.above(field.start);
      if (said !== undefined) {
        const known = this.#ofField.get(owner) ?? new Map<string, string>();
        this.#ofField.set(owner, known.set(name, said));
      }
      this.#walk(field.value, (owner as Parts).properties?.[name], source);
    }
  }

  #walkSpread(spread: Expression, owner: TSchema, source: Source): void {
    if (spread.type === "MemberExpression" && spread.object.type === "Identifier") {
      const others = this.#takenOver.get(owner) ?? [];
      this.#takenOver.set(owner, [...others, spread.object.name]);
    }
    const local = spread.type === "Identifier" ? source.constants.get(spread.name)?.value : null;
    if (local?.type === "ObjectExpression") this.#walkFields(local, owner, source);
  }
}

interface Constant {
  /** Where its declaration begins. */
  readonly start: number;
  readonly value: Expression;
}

/** A module while it is read. */
interface Source {
  /** What the comment directly above a position says. */
  readonly above: (start: number) => string | undefined;
  readonly constants: ReadonlyMap<string, Constant>;
}

function constantsIn(program: Program): ReadonlyMap<string, Constant> {
  const found = new Map<string, Constant>();
  for (const statement of program.body) {
    const declaration =
      statement.type === "ExportNamedDeclaration" ? statement.declaration : statement;
    if (declaration?.type !== "VariableDeclaration") continue;
    for (const { id, init } of declaration.declarations) {
      if (id.type !== "Identifier" || init === null) continue;
      found.set(id.name, { start: statement.start, value: init });
    }
  }
  return found;
}

/** `Type.Object` and `orNull` are called `Object` and `orNull`. */
function nameOf(callee: Expression): string | null {
  if (callee.type === "Identifier") return callee.name;
  if (callee.type !== "MemberExpression" || callee.property.type !== "Identifier") return null;
  return callee.property.name;
}

/** A comment without the stars of its lines; a list keeps its lines. */
function sentencesOf(comment: string): string {
  return comment
    .split("\n")
    .map((line) => line.replace(/^\s*\*+/, "").trim())
    .filter((line) => line !== "")
    .join(" ")
    .replaceAll(/ - (?=`)/g, "\n- ");
}

function mapped<Value, Result>(
  record: Readonly<Record<string, Value>>,
  change: (value: Value, name: string) => Result,
): Record<string, Result> {
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => [name, change(value, name)]),
  );
}

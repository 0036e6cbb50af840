import {
  type ImportDeclarationSpecifier,
  type Node,
  type Program,
  parseSync,
  visitorKeys,
} from "oxc-parser";

/** What the rules need to know of one source file. Lines count from 1. */
export interface ModuleFacts {
  readonly imports: readonly ImportFact[];
  readonly names: readonly NameFact[];
  readonly syntaxErrors: readonly Located<{ readonly message: string }>[];
}

export type Located<Fact> = Fact & { readonly line: number };

export type ImportFact = Located<{
  /** `null` where it is not a plain text and so can't be followed. */
  readonly specifier: string | null;
  /** `type` leaves nothing behind at run time; `call` is `import()`. */
  readonly kind: "type" | "statement" | "call";
  /** The imported names without those marked as types; `*` stands for all of them. */
  readonly names: readonly string[];
}>;

/**
 * A name that stands where a value is read, called or bound; types and property names are none,
 * nor is a name that the module itself declares, which means that everywhere in it.
 */
export type NameFact = Located<{
  readonly name: string;
  /** The property read from it by name; `null` when the whole value is used in another way. */
  readonly member: string | null;
  readonly use: "value" | "property" | "new-empty" | "new" | "instanceof" | "import-meta";
}>;

/** Reads a TypeScript file without running it. */
export function moduleFactsOf(file: string, text: string): ModuleFacts {
  const { program, errors } = parseSync(file, text, { lang: "ts", sourceType: "module" });
  const lineOf = lineCounter(text);
  const imports: ImportFact[] = [];
  const names: NameFact[] = [];
  const declared = new Set(program.body.flatMap(declaredNames));
  visit(program, null, (node, parent) => {
    const line = lineOf(node.start);
    const imported = importOf(node);
    if (imported !== null) imports.push({ ...imported, line });
    const name = nameOf(node, parent);
    if (name !== null && (name.use === "property" || !declared.has(name.name))) {
      names.push({ ...name, line });
    }
  });
  const syntaxErrors = errors.map((error) => ({
    message: error.message,
    line: lineOf(error.labels[0]?.start ?? 0),
  }));
  return { imports, names, syntaxErrors };
}

type Visitor = (node: Node, parent: Node | null) => void;

function visit(node: Node | Program, parent: Node | null, visitor: Visitor): void {
  visitor(node, parent);
  for (const key of visitorKeys[node.type] ?? []) {
    const child: unknown = Reflect.get(node, key);
    for (const item of Array.isArray(child) ? child : [child]) {
      if (isNode(item)) visit(item, node, visitor);
    }
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value;
}

function importOf(node: Node): Omit<ImportFact, "line"> | null {
  switch (node.type) {
    case "ImportDeclaration":
      return {
        specifier: node.source.value,
        kind: node.importKind === "type" ? "type" : "statement",
        names: node.specifiers.flatMap(importedNames),
      };
    case "ExportNamedDeclaration":
      if (node.source === null) return null;
      return {
        specifier: node.source.value,
        kind: node.exportKind === "type" ? "type" : "statement",
        names: node.specifiers
          .filter((specifier) => specifier.exportKind !== "type")
          .map((specifier) => textOf(specifier.local)),
      };
    case "ExportAllDeclaration":
      return {
        specifier: node.source.value,
        kind: node.exportKind === "type" ? "type" : "statement",
        names: ["*"],
      };
    case "ImportExpression": {
      const { source } = node;
      const specifier = source.type === "Literal" ? source.value : null;
      return {
        specifier: typeof specifier === "string" ? specifier : null,
        kind: "call",
        names: ["*"],
      };
    }
    case "TSImportType":
      return { specifier: node.source.value, kind: "type", names: ["*"] };
    default:
      return null;
  }
}

function importedNames(specifier: ImportDeclarationSpecifier): readonly string[] {
  switch (specifier.type) {
    case "ImportSpecifier":
      return specifier.importKind === "type" ? [] : [textOf(specifier.imported)];
    case "ImportDefaultSpecifier":
      return ["default"];
    case "ImportNamespaceSpecifier":
      return ["*"];
  }
}

/** The values that a statement at the top of a module declares by plain names. */
function declaredNames(statement: Node): readonly string[] {
  switch (statement.type) {
    case "ImportDeclaration":
      return statement.specifiers.map((specifier) => specifier.local.name);
    case "ExportNamedDeclaration":
      return statement.declaration === null ? [] : declaredNames(statement.declaration);
    case "FunctionDeclaration":
    case "ClassDeclaration":
      return statement.id === null ? [] : [statement.id.name];
    case "VariableDeclaration":
      if (statement.declare === true) return []; // Only tells of a global that exists elsewhere.
      return statement.declarations.flatMap(({ id }) =>
        id.type === "Identifier" ? [id.name] : [],
      );
    default:
      return [];
  }
}

function nameOf(node: Node, parent: Node | null): Omit<NameFact, "line"> | null {
  if (node.type === "MetaProperty" && node.meta.name === "import") {
    return { name: "import.meta", member: null, use: "import-meta" };
  }
  if (node.type === "MemberExpression") {
    const member = memberNameOf(node);
    return member === null ? null : { name: member, member: null, use: "property" };
  }
  if (node.type !== "Identifier" || parent === null || isOnlyALabel(node, parent)) return null;
  const { name } = node;
  if (parent.type === "MemberExpression" && parent.object === node) {
    return { name, member: memberNameOf(parent), use: "value" };
  }
  if (parent.type === "NewExpression" && parent.callee === node) {
    return { name, member: null, use: parent.arguments.length === 0 ? "new-empty" : "new" };
  }
  if (parent.type === "BinaryExpression" && parent.operator === "instanceof") {
    return { name, member: null, use: "instanceof" };
  }
  return { name, member: null, use: "value" };
}

/** Whether an identifier names a property, a type or a jump label, and so reads no value. */
function isOnlyALabel(node: Node, parent: Node): boolean {
  switch (parent.type) {
    case "MemberExpression":
      return parent.property === node && !parent.computed;
    case "Property":
      // `{ process }` reads the value: there key and value are one text but two nodes.
      return parent.key === node && !parent.computed;
    case "MethodDefinition":
    case "PropertyDefinition":
    case "AccessorProperty":
      return parent.key === node && !parent.computed;
    case "ImportSpecifier":
      return parent.imported === node && parent.local !== node;
    case "ExportSpecifier":
      return parent.exported === node;
    case "LabeledStatement":
    case "BreakStatement":
    case "ContinueStatement":
      return parent.type !== "LabeledStatement" || parent.label === node;
    default:
      // Below a type there are only types, except where an expression is given one.
      return (
        parent.type.startsWith("TS") && !("expression" in parent && parent.expression === node)
      );
  }
}

function memberNameOf(node: Extract<Node, { type: "MemberExpression" }>): string | null {
  const { property, computed } = node;
  if (property.type === "Literal") {
    return typeof property.value === "string" ? property.value : null;
  }
  return property.type === "Identifier" && !computed ? property.name : null;
}

function textOf(name: Node): string {
  if (name.type === "Literal") return String(name.value);
  return name.type === "Identifier" ? name.name : "*";
}

/** Gives the line of an offset in UTF-16 units. */
function lineCounter(text: string): (offset: number) => number {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return (offset) => {
    const next = starts.findIndex((start) => start > offset);
    return next === -1 ? starts.length : next;
  };
}

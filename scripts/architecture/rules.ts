import { readFile } from "node:fs/promises";
import path from "node:path";

/** The dependency rules, as they stand in `architecture/layers.json`. */
export interface Architecture {
  /** The folders whose files must each belong to a layer. */
  readonly roots: readonly string[];
  /** Glob of the files that nobody writes by hand; they are not looked into. */
  readonly generated: string;
  /** Lines a file may have, by the name that a layer gives. */
  readonly lineCeilings: Readonly<Record<string, number>>;
  /** Files over their ceiling, each with the lines it has. An entry may only go down, then out. */
  readonly lineExceptions: Readonly<Record<string, number>>;
  /** From top to bottom. */
  readonly layers: readonly Layer[];
  readonly modules: readonly ModuleRule[];
  /** By package name; a package that is not listed may be imported nowhere. */
  readonly packages: Readonly<Record<string, PackageRule>>;
  readonly purity: Purity;
}

export interface Layer {
  readonly name: string;
  /** Files, folders, or `folder/*` for folders that must not know each other. */
  readonly paths: readonly string[];
  readonly ceiling: string;
  /** Names of the layers below that may be imported. */
  readonly imports: readonly string[];
  /** Names of the layers below of which only types may be imported. */
  readonly typeImports?: readonly string[];
  /** Files of the folder that may be entered beside its `index.ts`. */
  readonly doors?: readonly string[];
  /** The Node built-ins that may be imported, as `node:fs`; none without this. */
  readonly builtins?: "any" | readonly string[];
  /** Whether the purity rules hold. */
  readonly pure?: boolean;
}

/** Where something may be loaded from. Types alone are never loaded. */
export interface LoadRule {
  /** Globs of the files that may load it by an import statement, and so always. */
  readonly in: readonly string[];
  /** Globs of the files that may load it by `import()`, and so only when it is needed. */
  readonly byCallIn?: readonly string[];
  readonly why?: string;
}

/** A rule on some modules of this repository, and who may enter a folder through them. */
export interface ModuleRule extends LoadRule {
  readonly of: string;
}

export interface PackageRule extends LoadRule {
  /** Whether its types may be imported in other files too. */
  readonly typesAnywhere?: boolean;
  /** Names of it that may not be used anywhere. */
  readonly withoutNames?: readonly string[];
}

/** What a pure file must not name: each is a way to time, chance, the system or the locale. */
export interface Purity {
  readonly globals: readonly string[];
  /** Objects of which only some members are pure; they must not be passed on whole. */
  readonly objects: Readonly<Record<string, PureObject>>;
  readonly properties: readonly string[];
  readonly importMeta: boolean;
}

export interface PureObject {
  readonly without: readonly string[];
  readonly newNeedsArgument?: boolean;
}

/** One broken rule; `line` counts from 1. */
export interface Violation {
  readonly file: string;
  readonly line: number;
  readonly rule: Rule;
  readonly message: string;
}

export type Rule =
  | "builtin"
  | "ceiling"
  | "data"
  | "direction"
  | "door"
  | "layer"
  | "module"
  | "outside"
  | "package"
  | "purity"
  | "syntax";

export async function readArchitecture(root: string): Promise<Architecture> {
  return JSON.parse(await readFile(path.join(root, "architecture", "layers.json"), "utf8"));
}

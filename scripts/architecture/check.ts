import { matchesGlob, posix } from "node:path";
import { type ImportFact, type ModuleFacts, moduleFactsOf } from "./module-facts.ts";
import { purityViolations } from "./purity.ts";
import type { Architecture, Layer, LoadRule, Rule, Violation } from "./rules.ts";

/** Source texts by path, relative to the root and with forward slashes. */
export type SourceFiles = ReadonlyMap<string, string>;

/**
 * Holds the sources against the rules.
 *
 * Pure: it sees no more than the texts it is given, so a broken rule can be shown on a text that
 * is no file.
 */
export function checkArchitecture(
  files: SourceFiles,
  architecture: Architecture,
): readonly Violation[] {
  const violations = [...dataViolations(files, architecture)];
  for (const [file, text] of files) {
    if (matchesGlob(file, architecture.generated)) continue;
    violations.push(...fileViolations(file, text, architecture));
  }
  return violations.toSorted(
    (one, other) => one.file.localeCompare(other.file, "en") || one.line - other.line,
  );
}

/** Where a file stands: its layer and the part of it within which files know each other. */
interface Place {
  readonly layer: Layer;
  /** The folder, or the file itself where the layer names single files. */
  readonly entrance: string;
  /** Files with the same territory import each other freely. */
  readonly territory: string;
}

type Report = (line: number, rule: Rule, message: string) => void;

function fileViolations(file: string, text: string, rules: Architecture): readonly Violation[] {
  const violations: Violation[] = [];
  const report: Report = (line, rule, message) => violations.push({ file, line, rule, message });
  const place = placeOf(file, rules);
  if (place === null) {
    report(1, "layer", "belongs to no layer; name its folder in architecture/layers.json");
    return violations;
  }
  const facts = moduleFactsOf(file, text);
  for (const { line, message } of facts.syntaxErrors) report(line, "syntax", message);
  checkLength(file, text, place.layer, rules, report);
  for (const imported of facts.imports) checkImport(file, imported, place, rules, report);
  if (place.layer.pure === true) reportImpure(facts, rules, report);
  return violations;
}

function reportImpure(facts: ModuleFacts, rules: Architecture, report: Report): void {
  for (const { line, message } of purityViolations(facts.names, rules.purity)) {
    report(line, "purity", message);
  }
}

function checkLength(
  file: string,
  text: string,
  layer: Layer,
  rules: Architecture,
  report: Report,
): void {
  const lines = text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
  const ceiling = rules.lineCeilings[layer.ceiling] ?? 0;
  const exception = rules.lineExceptions[file];
  if (lines > (exception ?? ceiling)) {
    report(lines, "ceiling", `has ${lines} lines; ${exception ?? ceiling} are allowed`);
  } else if (exception !== undefined && lines < exception) {
    const change = lines > ceiling ? `lower its exception to ${lines}` : "remove its exception";
    report(1, "ceiling", `has shrunk from ${exception} to ${lines} lines; ${change}`);
  }
}

function checkImport(
  file: string,
  imported: ImportFact,
  place: Place,
  rules: Architecture,
  report: Report,
): void {
  const { specifier, line } = imported;
  if (specifier === null) {
    report(line, "module", "imports what only running it would tell; name the module as a text");
  } else if (specifier.startsWith("node:")) {
    const { builtins = [] } = place.layer;
    if (builtins !== "any" && !builtins.includes(specifier)) {
      report(line, "builtin", `${place.layer.name} must not import ${specifier}`);
    }
  } else if (specifier.startsWith(".")) {
    const target = posix.join(posix.dirname(file), specifier);
    checkReach(file, target, imported, place, rules, report);
    checkModuleRules(file, target, imported, rules, report);
  } else {
    checkPackage(file, specifier, imported, rules, report);
  }
}

function checkReach(
  file: string,
  target: string,
  { kind, line }: ImportFact,
  from: Place,
  rules: Architecture,
  report: Report,
): void {
  const to = placeOf(target, rules);
  if (to === null) {
    report(line, "outside", `${target} lies outside the layers`);
    return;
  }
  if (to.territory === from.territory) return;
  const { imports, typeImports = [] } = from.layer;
  if (!imports.includes(to.layer.name)) {
    if (!typeImports.includes(to.layer.name)) {
      report(line, "direction", `${from.layer.name} must not import ${to.layer.name}`);
    } else if (kind !== "type") {
      report(line, "direction", `${from.layer.name} may import only types of ${to.layer.name}`);
    }
  }
  const doors = ["index.ts", ...(to.layer.doors ?? [])].map((door) => `${to.entrance}/${door}`);
  const isSideDoor = rules.modules.some(
    (rule) => matchesGlob(target, rule.of) && mayLoad(file, rule, "call"),
  );
  if (target !== to.entrance && !doors.includes(target) && !isSideDoor) {
    report(line, "door", `${target} is inside ${to.entrance}; enter by its index.ts`);
  }
}

function checkModuleRules(
  file: string,
  target: string,
  { kind, line }: ImportFact,
  rules: Architecture,
  report: Report,
): void {
  if (kind === "type") return;
  for (const rule of rules.modules) {
    if (!matchesGlob(target, rule.of) || mayLoad(file, rule, kind)) continue;
    report(line, "module", `may not load ${target}${placesOf(rule)}`);
  }
}

function checkPackage(
  file: string,
  specifier: string,
  { kind, line, names }: ImportFact,
  rules: Architecture,
  report: Report,
): void {
  const name = specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
  const rule = rules.packages[name];
  if (rule === undefined) {
    report(line, "package", `${name} is not among the packages of architecture/layers.json`);
    return;
  }
  const isFree = kind === "type" && rule.typesAnywhere === true;
  if (!isFree && !mayLoad(file, rule, kind === "type" ? "call" : kind)) {
    report(line, "package", `may not import ${name}${placesOf(rule)}`);
  }
  if (kind === "type") return;
  const unwanted = rule.withoutNames ?? [];
  const taken = names.filter((it) => unwanted.includes(it) || (it === "*" && unwanted.length > 0));
  for (const it of taken) report(line, "package", `${it} of ${name} is not for use: ${rule.why}`);
}

/** Who may load something by a statement may also do so by a call. */
function mayLoad(file: string, rule: LoadRule, kind: "statement" | "call"): boolean {
  const globs = kind === "call" ? [...rule.in, ...(rule.byCallIn ?? [])] : rule.in;
  return globs.some((glob) => matchesGlob(file, glob));
}

function placesOf({ in: places, byCallIn = [], why }: LoadRule): string {
  const allowed = [...places, ...byCallIn.map((glob) => `${glob} by import()`)].join(", ");
  return `, only ${allowed || "nobody"} may${why === undefined ? "" : `: ${why}`}`;
}

/** Longer paths are looked at first, so that a file may stand apart from the folder around it. */
function placeOf(file: string, rules: Architecture): Place | null {
  const places = rules.layers.flatMap((layer) => layer.paths.map((path) => ({ layer, path })));
  for (const { layer, path } of places.toSorted((a, b) => b.path.length - a.path.length)) {
    const entrance = entranceOf(file, path);
    if (entrance === null) continue;
    return { layer, entrance, territory: path.endsWith("/*") ? entrance : layer.name };
  }
  return null;
}

/** The part of `file` that a layer's path stands for; `null` where it stands for another file. */
function entranceOf(file: string, path: string): string | null {
  const depth = path.split("/").length;
  const head = file.split("/").slice(0, depth).join("/");
  return matchesGlob(head, path) && (head === file) === path.endsWith(".ts") ? head : null;
}

/** What is wrong with the rules themselves: they must point down, and at what there is. */
function dataViolations(files: SourceFiles, rules: Architecture): readonly Violation[] {
  const ranks = new Map(rules.layers.map(({ name }, rank) => [name, rank]));
  const messages: string[] = [];
  for (const [rank, { name, imports, typeImports = [], ceiling }] of rules.layers.entries()) {
    for (const imported of [...imports, ...typeImports]) {
      const importedRank = ranks.get(imported);
      if (importedRank === undefined)
        messages.push(`${name} imports ${imported}, which is no layer`);
      else if (importedRank <= rank) messages.push(`${name} must stand above ${imported}`);
    }
    if (rules.lineCeilings[ceiling] === undefined) messages.push(`${name} has no line ceiling`);
  }
  for (const file of Object.keys(rules.lineExceptions)) {
    if (!files.has(file)) messages.push(`the line exception of ${file} is for no file`);
  }
  return messages.map((message) => ({ file: RULES_FILE, line: 1, rule: "data", message }));
}

const RULES_FILE = "architecture/layers.json";

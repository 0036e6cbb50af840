import type { Located, NameFact } from "./module-facts.ts";
import type { Purity } from "./rules.ts";

/**
 * What the names in a file have to do with time, chance, the system or the locale.
 *
 * A parameter or inner variable of such a name is counted as well: telling the two apart would
 * need the scopes, and a reader could not tell them apart either.
 */
export function purityViolations(
  names: readonly NameFact[],
  purity: Purity,
): readonly Located<{ readonly message: string }>[] {
  return names.flatMap((fact) => {
    const message = messageFor(fact, purity);
    return message === null ? [] : [{ message, line: fact.line }];
  });
}

function messageFor({ name, member, use }: NameFact, purity: Purity): string | null {
  if (use === "import-meta") return purity.importMeta ? null : "import.meta is of the runtime";
  if (use === "property") {
    return purity.properties.includes(name) ? `${name} depends on the locale or time zone` : null;
  }
  if (purity.globals.includes(name)) return `${name} must come in through a port or an argument`;
  const object = purity.objects[name];
  if (object === undefined || use === "instanceof") return null;
  switch (use) {
    case "new":
      return null;
    case "new-empty":
      return object.newNeedsArgument === true
        ? `new ${name}() without an argument reads the clock`
        : null;
    case "value":
      if (member === null) return `${name} is passed on or called whole; name the member in use`;
      return object.without.includes(member)
        ? `${name}.${member} must come in through a port or an argument`
        : null;
  }
}

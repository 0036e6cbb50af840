import { builtinModules } from "node:module";
import path from "node:path";
import { build, formatMessages, type Metafile, type Plugin } from "esbuild";

const ENTRY = "src/cli/bin.ts";
const NATIVE = "better-sqlite3";

/**
 * Bundles the command into one file of source text.
 *
 * What must hold even on a Node that is too old, so that the command can say so: the file parses
 * there, links there (hence no static import of a name that a built-in module lacks there), and
 * loads nothing native before it has looked at the version.
 *
 * @throws when the bundle would break one of these.
 */
export async function bundleCommand(root: string): Promise<string> {
  const result = await build({
    absWorkingDir: root,
    entryPoints: [ENTRY],
    bundle: true,
    write: false,
    metafile: true,
    outfile: "holdfast.js",
    format: "esm",
    platform: "node",
    target: "node16",
    external: [NATIVE],
    legalComments: "none",
    logLevel: "silent",
    banner: {
      js: [
        'import { createRequire as createRequireHere } from "node:module";',
        "const require = createRequireHere(import.meta.url);",
      ].join("\n"),
    },
    plugins: [builtinsOnDemand],
  });
  // A warning here is a mistake of ours, such as an import kept for an effect that is dropped.
  if (result.warnings.length > 0) {
    throw new Error((await formatMessages(result.warnings, { kind: "warning" })).join("\n"));
  }
  refuseEagerImports(result.metafile);
  const text = result.outputFiles[0]?.text ?? "";
  return text.startsWith("#!") ? text : `#!/usr/bin/env node\n${text}`;
}

/** Turns `import … from "node:…"` into a `require` at the place of use, which links everywhere. */
const builtinsOnDemand: Plugin = {
  name: "builtins-on-demand",
  setup(bundler) {
    const builtins = new Set(builtinModules.flatMap((name) => [name, `node:${name}`]));
    bundler.onResolve({ filter: /^[a-z]/ }, ({ path: id, kind }) => {
      if (!(builtins.has(id) || id.startsWith("node:"))) return undefined;
      const prefixed = id.startsWith("node:") ? id : `node:${id}`;
      return kind === "import-statement"
        ? { path: prefixed, namespace: "builtin", sideEffects: false }
        : { path: prefixed, external: true };
    });
    bundler.onLoad({ filter: /.*/, namespace: "builtin" }, ({ path: id }) => ({
      contents: `module.exports = require(${JSON.stringify(id)});`,
      loader: "js",
    }));
  },
};

function refuseEagerImports(metafile: Metafile): void {
  for (const output of Object.values(metafile.outputs)) {
    for (const { path: imported, kind } of output.imports) {
      if (kind !== "import-statement") continue;
      throw new Error(
        `The command imports ${imported} before it can look at the version of Node; use import().`,
      );
    }
  }
  const inputs = Object.keys(metafile.inputs);
  const compiler = inputs.find((input) => input.includes(path.join("typebox", "build", "compile")));
  if (compiler !== undefined)
    throw new Error(`The command bundles the schema compiler: ${compiler}.`);
}

import { builtinModules } from "node:module";
import path from "node:path";
import { build, formatMessages, type Metafile, type Plugin } from "esbuild";

const NATIVE = "better-sqlite3";

/** A file of the bundle, by its name in the command's folder. */
export interface BundledFile {
  readonly name: string;
  readonly text: string;
}

/** What explains a wrong input brings a whole schema library, so it is read only when it is needed. */
const EXPLANATION = { entry: "src/engine/explain.ts", name: "explain.js" };

/**
 * Bundles the command into the file that is called, and the one that explains wrong input.
 *
 * What must hold even on a Node that is too old, so that the command can say so: the file parses
 * there, links there (hence no static import of a name that a built-in module lacks there), and
 * loads nothing native before it has looked at the version.
 *
 * @throws when the bundle would break one of these.
 */
export async function bundleCommand(root: string): Promise<readonly BundledFile[]> {
  const command = await bundled(root, "src/cli/bin.ts");
  const text = command.startsWith("#!") ? command : `#!/usr/bin/env node\n${command}`;
  const called = { name: "holdfast.js", text };
  if (!text.includes(EXPLANATION.name)) return [called];
  return [called, { name: EXPLANATION.name, text: await bundled(root, EXPLANATION.entry) }];
}

async function bundled(root: string, entry: string): Promise<string> {
  const result = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    bundle: true,
    // Half the text to be read at each start. Names stay, so that a stack trace tells something.
    minifyWhitespace: true,
    minifySyntax: true,
    write: false,
    metafile: true,
    outfile: "bundle.js",
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
    plugins: [builtinsOnDemand, explanationApart],
  });
  // A warning here is a mistake of ours, such as an import kept for an effect that is dropped.
  if (result.warnings.length > 0) {
    throw new Error((await formatMessages(result.warnings, { kind: "warning" })).join("\n"));
  }
  refuseEagerImports(result.metafile);
  return result.outputFiles[0]?.text ?? "";
}

const explanationApart: Plugin = {
  name: "explanation-apart",
  setup(bundler) {
    bundler.onResolve({ filter: /\/explain\.ts$/ }, ({ kind }) =>
      kind === "dynamic-import" ? { path: `./${EXPLANATION.name}`, external: true } : undefined,
    );
  },
};

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

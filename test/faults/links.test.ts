import { mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { openEngine } from "../../src/index.ts";
import { openSqliteStore } from "../../src/journal-sqlite/index.ts";
import { MapWorkspace } from "../engine/workspace.ts";
import { temporaryFolder } from "../journal-sqlite/makers.ts";
import { journalIn, stateDirIn, storedIn } from "./journals.ts";
import { REAL_PORTS } from "./ports.ts";
import { treeOf } from "./trees.ts";

/** From the project down to the state folder. */
const LEVELS = ["one", "two", "three", "state"] as const;

/** What a link can lead to; each is given the real folder that stood in its place. */
const TARGETS: Readonly<Record<string, (real: string, link: string) => string>> = {
  "a folder, by its whole path": (real) => real,
  "a folder, by a path from here": (real, link) => path.relative(path.dirname(link), real),
  nothing: (real) => `${real}-which-is-not-there`,
  itself: (_, link) => link,
  "a file": (real) => {
    writeFileSync(`${real}.txt`, "precious");
    return `${real}.txt`;
  },
};

const PASSABLE = ["a folder, by its whole path", "a folder, by a path from here", "nothing"];

const CASES = LEVELS.flatMap((level) =>
  Object.keys(TARGETS).map((target) => [level, target] as const),
);

test.each(CASES)(
  "on the way project/one/two/three/state, a link at %s that leads to %s is refused, and nothing is written",
  async (level, target) => {
    const project = temporaryFolder();
    const elsewhere = temporaryFolder();
    const stateDir = path.join(project, ...LEVELS);
    mkdirSync(stateDir, { recursive: true });
    const link = path.join(project, ...LEVELS.slice(0, LEVELS.indexOf(level) + 1));
    const real = path.join(elsewhere, "real");
    renameSync(link, real);
    symlinkSync(TARGETS[target]?.(real, link) ?? "", link);
    const before = [treeOf(project), treeOf(elsewhere)];
    // What can't be passed through is found before it is known to be a link.
    const codes = PASSABLE.includes(target) ? "unsafe-path" : "unsafe-path|not-writable";
    const refused = { code: expect.stringMatching(`^journal/(${codes})$`), kind: "journal" };

    for (const create of ["never", "where-none-was", "new-after-loss"] as const) {
      const opened = openSqliteStore({ projectDir: project, stateDir, create, ports: REAL_PORTS });
      await expect(opened).rejects.toMatchObject(refused);
    }
    const workspace = new MapWorkspace({});
    const engine = openEngine({ projectDir: project, stateDir, workspace });
    await expect(engine).rejects.toMatchObject(refused);
    expect([treeOf(project), treeOf(elsewhere)]).toEqual(before);
  },
);

test("a link above the project leads to the same journal as the real path", async () => {
  const above = temporaryFolder();
  const real = path.join(above, "real");
  mkdirSync(path.join(real, "project"), { recursive: true });
  await (await journalIn(path.join(real, "project"))).close();
  symlinkSync(real, path.join(above, "link"));
  expect(await storedIn(path.join(above, "link", "project"))).toHaveLength(1);
});

test("a state folder that becomes a link while the journal is open is found at the next opening", async () => {
  const project = temporaryFolder();
  await (await journalIn(project)).close();
  const elsewhere = path.join(temporaryFolder(), "real");
  renameSync(stateDirIn(project), elsewhere);
  symlinkSync(elsewhere, stateDirIn(project));
  await expect(storedIn(project)).rejects.toMatchObject({ code: "journal/unsafe-path" });
});

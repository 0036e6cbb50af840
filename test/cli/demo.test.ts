import { existsSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { runDemo } from "../../src/cli/demo/index.ts";
import { expectAnswer } from "./described.ts";
import { aFolder, COMMAND, type Ended, endOf, start } from "./holdfast.ts";

interface Tour {
  readonly ok: boolean;
  readonly folder: string;
  readonly project: string;
  readonly chapters: readonly { readonly title: string; readonly problems: readonly string[] }[];
}

/** What a tour told; its folder goes when the test ends. */
function told(stdout: string): Tour {
  const tour: Tour = JSON.parse(stdout);
  expectAnswer(["demo"], tour);
  onTestFinished(() => rm(tour.folder, { recursive: true, force: true }));
  return tour;
}

const problemsOf = ({ chapters }: Tour) => chapters.flatMap(({ problems }) => problems);

test("the tour comes out as it is told, to the last chapter", async () => {
  const { code, stdout, stderr }: Ended = await endOf(
    start(["demo", "--json"], { folder: await aFolder(), env: { PI_SESSION_ID: "p-1" } }),
  );
  const tour = told(stdout);
  expect({ code, stderr, ok: tour.ok, problems: problemsOf(tour) }).toEqual({
    code: 0,
    stderr: "",
    ok: true,
    problems: [],
  });
  expect(tour.chapters).toHaveLength(8);
  expect(existsSync(path.join(tour.project, ".holdfast", "journal.sqlite"))).toBe(true);
});

test("a step that answers otherwise than told is named, and the tour is no success", async () => {
  const file = path.join(await aFolder(), "contrary.mjs");
  await writeFile(file, CONTRARY);
  const stdout = new PassThrough();
  const [exitCode, output] = await Promise.all([
    runDemo({ json: true, stdout, command: [process.execPath, file] }).finally(() => stdout.end()),
    text(stdout),
  ]);
  const tour = told(output);
  expect({ exitCode, ok: tour.ok, chapters: tour.chapters.length }).toEqual({
    exitCode: 1,
    ok: false,
    chapters: 8,
  });
  expect(problemsOf(tour)).toEqual([
    expect.stringContaining("the exit code was 7 and should be 1"),
    expect.stringContaining("the exit code was 7 and should be 0"),
    "the task should be completed",
  ]);
});

/** The real command, but for one that it answers with an exit code of its own. */
const CONTRARY = `
  import { spawnSync } from "node:child_process";
  const words = process.argv.slice(2);
  if (words.includes("conclude")) process.exit(7);
  const { status } = spawnSync(process.execPath, [${JSON.stringify(COMMAND)}, ...words], { stdio: "inherit" });
  process.exitCode = status ?? 1;
`;

test("without git the tour says where it broke off", async () => {
  const nothing = await aFolder();
  const { code, stdout, stderr } = await endOf(
    start(["demo", "--json"], { folder: nothing, env: { PATH: nothing, TMPDIR: tmpdir() } }),
  );
  const tour = told(stdout);
  expect({ code, stderr, ok: tour.ok, chapters: tour.chapters.length }).toEqual({
    code: 1,
    stderr: "",
    ok: false,
    chapters: 1,
  });
  expect(problemsOf(tour)).toEqual([expect.stringMatching(/broke off: git init failed: .*ENOENT/)]);
});

import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { aProject, endOf, type Project, start } from "./holdfast.ts";

// Made up, and put together here, so that no file of this repository looks as if it held a secret.
const CODE_TOKEN = ["ghp", "q7Vn3XcR8sLk2WzT9bYh5MdJ4fGp6aQeU1oN"].join("_");
const CLOUD_KEY = ["AKIA", "Q3ZT7HVN2XWP5KLD"].join("");
const PASSWORD = ["plum", "Kettle", "94", "quartz"].join("-");
const IN_ENVIRONMENT = ["violet", "harbour", "7719", "lantern"].join("_");
const SECRETS = [CODE_TOKEN, CLOUD_KEY, PASSWORD, IN_ENVIRONMENT];

const env = { DEMO_TOKEN: IN_ENVIRONMENT };

/** Prints a text in two parts with a turn of the event loop between them. */
const IN_TWO_PARTS = `
  const text = process.argv[2] === "-" ? process.env.DEMO_TOKEN : process.argv[2];
  const half = Math.floor(text.length / 2);
  process.stdout.write("key " + text.slice(0, half), () => {
    setTimeout(() => process.stdout.write(text.slice(half) + " end\\n"), 20);
  });
`;

/** Every byte of every file in the state folder; each byte one character. */
function stateOf({ folder }: Project): Map<string, string> {
  const stateDir = path.join(folder, ".holdfast");
  const entries = readdirSync(stateDir, { recursive: true, withFileTypes: true });
  return new Map(
    entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => path.join(parentPath, name))
      .map((file) => [path.relative(stateDir, file), readFileSync(file, "latin1")]),
  );
}

/** Has the journal open meanwhile, so that what was written stands in the log beside it as well. */
async function whileFollowed(project: Project, work: () => Promise<void>): Promise<void> {
  const child = start(["log", "--follow"], { folder: project.folder });
  const ended = endOf(child, null);
  try {
    await new Promise((resolve) => child.stdout?.once("data", resolve));
    await work();
  } finally {
    child.kill("SIGTERM");
    await ended;
  }
}

test("FR-088: a secret of a known shape, or from the environment, is in no byte of the state folder", async () => {
  const project = await aProject();
  const { write, folder } = project;
  const holdfast = async (...words: string[]) => {
    const ended = await project.holdfast(words, { env });
    expect(ended.code, `${words.join(" ")}\n${ended.stderr}`).toBe(0);
    return ended;
  };
  await write("parts.cjs", IN_TWO_PARTS);
  await holdfast("init");
  await whileFollowed(project, async () => {
    await holdfast(
      ...["task", "start", "--summary", `Replace ${CODE_TOKEN}, and password=${PASSWORD}`],
      ...["--criterion", `nobody uses ${CLOUD_KEY} or ${IN_ENVIRONMENT} any more`],
      ...["--verify", "sh check.sh", "--scope", "check.sh"],
    );
    for (const [secret, label] of [
      [CODE_TOKEN, ""],
      [CLOUD_KEY, ""],
      [PASSWORD, "password="],
      [IN_ENVIRONMENT, ""],
    ] as const) {
      const printed = `${label}${secret}`;
      expect((await holdfast("exec", "-c", `echo '${printed}'`)).stdout).toBe(`${printed}\n`);
      await holdfast("exec", "--", process.execPath, "parts.cjs", printed);
    }
    await holdfast("exec", "--", process.execPath, "parts.cjs", "-");
    await holdfast("exec", "-c", `printf '%s' "$DEMO_TOKEN" >&2; printf '%s' "$DEMO_TOKEN"`);
    const reason = `the owner gave ${CODE_TOKEN} and ${IN_ENVIRONMENT} away`;
    await holdfast("takeover", "--session", "other", "--reason", reason);
    await holdfast("journal", "export", "--out", path.join(folder, "export.jsonl"));

    const state = stateOf(project);
    state.set("export.jsonl", readFileSync(path.join(folder, "export.jsonl"), "latin1"));
    expect([...state.keys()]).toEqual(
      expect.arrayContaining(["journal.sqlite", "journal.sqlite-wal", "export.jsonl"]),
    );
    // What stands there is what was given, with the secrets gone.
    expect(state.get("export.jsonl")).toContain("Replace [REDACTED_SECRET], and password=");
    expect(state.get("export.jsonl")).toContain("key [REDACTED_SECRET] end");
    expect(state.get("journal.sqlite-wal")).toContain("the owner gave [REDACTED_SECRET] and");
    expectNone(state);
  });
  expectNone(stateOf(project));
  expect(await project.answer(["journal", "verify"])).toMatchObject({
    code: 0,
    json: { ok: true },
  });
});

function expectNone(state: ReadonlyMap<string, string>): void {
  const found = [...state].flatMap(([file, bytes]) =>
    SECRETS.filter((secret) => bytes.includes(secret)).map((secret) => `${secret} in ${file}`),
  );
  expect(found).toEqual([]);
}

// A gap that docs/redaction.md lists: were it closed, the page should say so.
test("a secret that is encoded is not recognised", async () => {
  const project = await aProject();
  await project.holdfast(["init"]);
  const encoded = Buffer.from(IN_ENVIRONMENT).toString("base64");
  await project.holdfast(["exec", "--", "echo", encoded], { env });
  expect([...stateOf(project).values()].join("")).toContain(encoded);
});

import { spawn, spawnSync } from "node:child_process";
import path from "node:path";
import { expect, test, vi } from "vitest";
import { expectAnswer } from "./described.ts";
import {
  A_TASK,
  aProject,
  COMMAND,
  type Environment,
  end,
  environment,
  eventsOf,
} from "./holdfast.ts";

/** Runs a command on a terminal of its own and answers what appears on it. */
const TERMINAL = path.join(import.meta.dirname, "terminal.py");

const hasPython = spawnSync("python3", ["--version"]).status === 0;
if (!hasPython) console.warn("There is no python3, so nothing is run on a terminal.");
const onTerminal = test.skipIf(!hasPython);

/**
 * @param replies what is typed once a text has appeared, in order: `[text, keys]`; a text between
 * slashes is a pattern, and `\1` in the keys stands for its group
 */
async function atTerminal(
  folder: string,
  words: readonly string[],
  replies: readonly (readonly [string, string])[] = [],
  env: Environment = {},
): Promise<{ readonly code: number; readonly screen: string }> {
  const call = JSON.stringify({ words: [process.execPath, COMMAND, ...words], replies });
  const child = spawn("python3", [TERMINAL, call], {
    cwd: folder,
    env: environment({ TERM: "xterm-256color", ...env }),
  });
  let text = "";
  let problem = "";
  child.stdout.on("data", (chunk: Buffer) => {
    text += chunk.toString();
  });
  child.stderr.on("data", (chunk: Buffer) => {
    problem += chunk.toString();
  });
  await new Promise((resolve) => child.once("close", resolve));
  if (problem !== "") throw new Error(problem);
  return JSON.parse(text);
}

onTerminal("colours are for terminals, and NO_COLOR turns them off", async () => {
  const { folder, holdfast } = await aProject();
  const coloured = "\u001b[";
  expect((await atTerminal(folder, ["resume"])).screen).toContain(coloured);
  expect((await atTerminal(folder, ["gate"])).screen).toContain(coloured);
  const plain = await atTerminal(folder, ["resume"], [], { NO_COLOR: "1" });
  expect(plain.screen).not.toContain(coloured);
  expect(plain.screen).toContain("none: There is no task to resume.");
  expect((await atTerminal(folder, ["resume", "--json"])).screen).not.toContain(coloured);
  expect((await holdfast(["resume"])).stdout).not.toContain(coloured);
});

onTerminal("a task started at a terminal is a person's, within an agent a model's", async () => {
  const project = await aProject();
  const { folder, answer } = project;
  await atTerminal(folder, ["task", "start", ...A_TASK, "--session", "s-1"]);
  await atTerminal(folder, ["task", "start", ...A_TASK, "--session", "s-2"], [], {
    CLAUDECODE: "1",
  });
  await answer(["task", "start", ...A_TASK, "--session", "s-3"]);
  const started = (await eventsOf(project)).filter(({ header }) => header.type === "task.started");
  expect(started.map(({ body }) => body.contract.intakeMode)).toEqual(["person", "model", "model"]);
});

onTerminal("Ctrl-C reaches an observed command once, and is recorded", async () => {
  const project = await aProject();
  await project.holdfast(["init"]);
  const script = `trap 'n=$((n + 1)); echo "INT $n"' INT
    echo ready
    for turn in 1 2 3 4 5 6 7 8 9; do sleep 0.05; done
    exit 5`;
  const words = ["exec", "-c", script];
  const { code, screen } = await atTerminal(project.folder, words, [["ready", "\u0003"]]);
  expect({ code, signals: screen.match(/INT \d/g) }).toEqual({ code: 5, signals: ["INT 1"] });
  expect((await eventsOf(project)).at(-1)).toMatchObject({
    header: { type: "command.observed" },
    body: { exitCode: 5, aborted: true, verdict: "inconclusive" },
  });
});

onTerminal("an observed command may ask at the terminal itself", async () => {
  const { folder, holdfast } = await aProject();
  await holdfast(["init"]);
  const script = "printf 'name? ' > /dev/tty; read name < /dev/tty; echo hello $name";
  const { code, screen } = await atTerminal(folder, ["exec", "-c", script], [["name? ", "Ada\n"]]);
  expect({ code, screen }).toMatchObject({ code: 0, screen: expect.stringContaining("hello Ada") });
});

onTerminal("at a terminal too, time that is up ends all that a command started", async () => {
  const project = await aProject();
  await project.holdfast(["init"]);
  const words = ["exec", "--timeout", "0.5", "-c", "sleep 601 & echo pid $!; wait"];
  const { code, screen } = await atTerminal(project.folder, words);
  const pid = Number(/pid (\d+)/.exec(screen)?.[1]);
  try {
    expect(code).toBe(143);
    await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow("ESRCH"), 10_000);
  } finally {
    end(pid);
  }
});

onTerminal("settling at a terminal asks for a shown word", async () => {
  const project = await aProject();
  const { folder, answer } = project;
  await answer(["task", "start", ...A_TASK]);
  await project.holdfast(["exec", "-c", "kill -9 $PPID"]);
  const settle = ["settle", "5", "--as", "happened", "--reason", "seen"];
  const wrong = await atTerminal(folder, settle, [["to confirm: ", "no\n"]]);
  expect(wrong).toMatchObject({
    code: 2,
    screen: expect.stringContaining("The word was not typed"),
  });
  const closed = await atTerminal(folder, settle, [["to confirm: ", "\u0004"]]);
  expect(closed.code).toBe(2);
  const right = await atTerminal(folder, settle, [["/Type (\\w+) to confirm: /", "\\1\n"]]);
  expect(right.code).toBe(0);
  expect((await eventsOf(project)).at(-1)).toMatchObject({
    header: { type: "call.settled" },
    body: { as: "happened", by: "terminal" },
  });
});

onTerminal(
  "FR-054: a criterion is judged at a terminal, by a shown word, and nowhere else",
  async () => {
    const project = await aProject();
    const { folder, answer } = project;
    await answer(["task", "start", ...A_TASK]);
    const waive = ["criterion", "waive", "criterion-01", "--reason", "not wanted any more"];
    const alone = await project.holdfast([...waive, "--json"]);
    expect(alone).toMatchObject({
      code: 1,
      stdout: expect.stringContaining("evidence/needs-person"),
    });
    const wrong = await atTerminal(folder, waive, [["to confirm: ", "yes\n"]]);
    expect(wrong.code).toBe(2);
    const right = await atTerminal(folder, waive, [["/Type (\\w+) to confirm: /", "\\1\n"]]);
    expect(right).toMatchObject({
      code: 0,
      screen: expect.stringContaining("criterion-01 is waived"),
    });
    expect((await eventsOf(project)).at(-1)).toMatchObject({
      header: { type: "criterion.judged" },
      body: { as: "waived", by: "terminal", reason: "not wanted any more" },
    });
    const defer = ["criterion", "defer", "criterion-01", "--reason", "later", "--json"];
    const { screen } = await atTerminal(folder, defer, [["/Type (\\w+) to confirm: /", "\\1\n"]]);
    const told = JSON.parse(/\{"criterion".*\}/.exec(screen)?.[0] ?? "null");
    expectAnswer(defer, told);
    expect(told).toMatchObject({ criterion: "criterion-01", status: "deferred", by: "terminal" });
  },
);

onTerminal(
  "FR-057: what an agent proposes binds once a person accepts it at a terminal",
  async () => {
    const project = await aProject();
    const { folder, answer, write } = project;
    await answer(["task", "start", ...A_TASK]);
    const asked = { acceptanceCriteria: [{ id: "criterion-01", text: "the check is gone" }] };
    await write("criteria.json", JSON.stringify(asked));
    const proposed = await answer([
      ...["criterion", "propose", "--file", "criteria.json"],
      ...["--reason", "it can't be mended"],
    ]);
    expect(proposed).toMatchObject({
      code: 0,
      json: { amendment: "amendment-01", reworded: ["criterion-01"], added: [], removed: [] },
    });
    const accept = ["criterion", "accept", "amendment-01", "--reason", "then without it"];
    expect(await answer(accept)).toMatchObject({
      code: 1,
      json: { error: { code: "evidence/needs-person" } },
    });
    expect((await answer(["criteria"])).json.criteria).toMatchObject([
      { text: "the check passes" },
    ]);
    const right = await atTerminal(folder, accept, [["/Type (\\w+) to confirm: /", "\\1\n"]]);
    expect(right.code).toBe(0);
    expect(right.screen).toMatch(
      /- criterion-01 \(observed, normal\) "the check passes"\s+\+ criterion-01 \(observed, normal\) "the check is gone"\s+Reason: it can't be mended/,
    );
    expect((await answer(["criteria"])).json.criteria).toMatchObject([
      { text: "the check is gone" },
    ]);
  },
);

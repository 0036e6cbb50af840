import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import Database from "better-sqlite3";
import { expect, onTestFinished, test, vi } from "vitest";
import {
  A_TASK,
  aFolder,
  aProject,
  changeInDatabase,
  end,
  endOf,
  eventsOf,
  type Project,
  running,
  start,
} from "./holdfast.ts";

/** A project with a journal, and what it observed last. */
async function observing(): Promise<
  Project & {
    exec: (...words: string[]) => ReturnType<Project["holdfast"]>;
    observed: () => Promise<Observed>;
  }
> {
  const project = await aProject();
  await project.holdfast(["init"]);
  return {
    ...project,
    exec: (...words) => project.holdfast(["exec", ...words]),
    observed: async () => {
      const events = await eventsOf(project);
      return events.findLast(({ header }) => header.type === "command.observed")?.body;
    },
  };
}

interface Observed {
  readonly command: string;
  readonly folder: string;
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly timedOut: boolean;
  readonly aborted: boolean;
  readonly verdict: string;
  readonly output: { readonly digest: string; readonly bytes: number; head: string; tail: string };
}

test("output and exit code are passed through, and the end is recorded", async () => {
  const { exec, observed } = await observing();
  const ended = await exec("--", "sh", "-c", "printf 'a\\0b'; printf 'c\\n' >&2; exit 7");
  expect(ended).toEqual({ code: 7, signal: null, stdout: "a\0b", stderr: "c\n" });
  expect(await observed()).toMatchObject({
    exitCode: 7,
    signal: null,
    verdict: "fail",
    output: { bytes: 5 },
  });
});

test.each([
  [["echo", "plain", "a=1", "--x=/y:z,@%+-_."], "echo plain a=1 --x=/y:z,@%+-_."],
  [
    ["echo", "two words", "it's", "", "$HOME", "a\nb"],
    `echo 'two words' 'it'\\''s' '' '$HOME' 'a\nb'`,
  ],
  [["echo", "*.sh", "~", "a;b", "ü"], "echo '*.sh' '~' 'a;b' 'ü'"],
  [["sh", "-c", "exit 0", "--json", "--", "-x"], "sh -c 'exit 0' --json -- -x"],
])("the command %j is known by an exact text", async (words, text) => {
  const { exec, observed } = await observing();
  expect(await exec("--", ...words)).toMatchObject({ code: 0 });
  expect(await observed()).toMatchObject({ command: text });
});

test("without the dashes, options after the command are the command's", async () => {
  const { exec, observed } = await observing();
  expect(await exec("echo", "--json", "--timeout", "x")).toMatchObject({
    code: 0,
    stdout: "--json --timeout x\n",
  });
  expect(await observed()).toMatchObject({ command: "echo --json --timeout x" });
});

test("a string is run by sh, or by the shell of the task", async () => {
  const { exec, observed, holdfast } = await observing();
  const which = '[ -z "$BASH_VERSION" ] || echo bash';
  expect(await exec("-c", which)).toMatchObject({ code: 0, stdout: "" });
  expect(await observed()).toMatchObject({ command: which });
  await holdfast(["task", "start", ...A_TASK, "--shell", "bash"]);
  expect(await exec("-c", which)).toMatchObject({ code: 0, stdout: "bash\n" });
});

test("a command reads our stdin and knows that it is observed", async () => {
  const { holdfast } = await observing();
  const words = ["exec", "-c", 'cat; echo "$HOLDFAST_OBSERVED"'];
  expect(await holdfast(words, { stdin: "given\n" })).toMatchObject({
    code: 0,
    stdout: "given\n1\n",
  });
});

test("a script may open its own output by name", async () => {
  const { exec } = await observing();
  const script = "echo one > /dev/stdout; echo two > /dev/stderr; echo three | tee /dev/stderr";
  expect(await exec("-c", script)).toEqual({
    code: 0,
    signal: null,
    stdout: "one\nthree\n",
    stderr: "two\nthree\n",
  });
});

test("a command that is not there ends with 127, one that can't be run with 126", async () => {
  const { exec, observed } = await observing();
  const missing = await exec("--", "no-such-command", "x");
  expect(missing).toMatchObject({ code: 127, stdout: "" });
  expect(missing.stderr).toContain("no-such-command x can't be started: there is no such command");
  expect(await observed()).toMatchObject({ exitCode: 127, verdict: "fail" });
  const forbidden = await exec("--", "./check.sh");
  expect(forbidden).toMatchObject({ code: 126, stdout: "" });
  expect(forbidden.stderr).toContain("EACCES");
  expect(await observed()).toMatchObject({ exitCode: 126 });
});

test("a command that a signal ends gives 128 and its number, and proves nothing", async () => {
  const { exec, observed } = await observing();
  expect(await exec("-c", "kill -9 $$")).toMatchObject({ code: 137, signal: null });
  expect(await observed()).toMatchObject({
    exitCode: null,
    signal: "SIGKILL",
    verdict: "inconclusive",
  });
});

test("a command that runs out of time is ended with all that it started", async () => {
  const { exec, observed, folder } = await observing();
  const file = path.join(folder, "pid");
  const ended = await exec("--timeout", "0.2", "-c", `sleep 600 & echo $! > '${file}'; wait`);
  expect(ended.code).toBe(143);
  expect(await observed()).toMatchObject({
    signal: "SIGTERM",
    timedOut: true,
    verdict: "inconclusive",
  });
  const pid = Number(readFileSync(file, "utf8"));
  onTestFinished(() => end(pid));
  await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow("ESRCH"), 10_000);
});

test("a command that ends well, but only because its time is up, does not count as well", async () => {
  const { exec, observed } = await observing();
  const script = "trap 'exit 0' TERM; while :; do sleep 0.05; done";
  expect(await exec("--timeout", "0.2", "-c", script)).toMatchObject({ code: 124 });
  expect(await observed()).toMatchObject({ exitCode: 0, timedOut: true, verdict: "inconclusive" });
});

test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
  "%s is passed on to all that the command started, and recorded",
  async (signal) => {
    const { folder, observed } = await observing();
    const { child, ended } = await running("sleep 600; sleep 600", { folder });
    child.kill(signal);
    const { code } = await ended;
    expect(code).toBe({ SIGINT: 130, SIGTERM: 143, SIGHUP: 129 }[signal]);
    expect(await observed()).toMatchObject({ signal, aborted: true, verdict: "inconclusive" });
  },
);

test("a command that handles the signal decides how it ends", async () => {
  const { folder, observed } = await observing();
  const script = "trap 'echo tidied; exit 5' INT; while :; do sleep 0.05; done";
  const { child, ended } = await running(script, { folder });
  child.kill("SIGINT");
  expect(await ended).toMatchObject({ code: 5, stdout: "tidied\n" });
  expect(await observed()).toMatchObject({ exitCode: 5, aborted: true, verdict: "inconclusive" });
});

test("what a command leaves running does not hold the call", async () => {
  const { folder, observed } = await observing();
  const { ended } = await running("sleep 600 & echo done", { folder });
  expect(await ended).toMatchObject({ code: 0, stdout: "done\n" });
  expect(await observed()).toMatchObject({ exitCode: 0, verdict: "pass" });
});

test("FR-091: 50 MB of output pass through whole; the record keeps both ends, size and digest, and stays small", async () => {
  const { folder, observed, answer, holdfast } = await observing();
  const script = "head -c 50000000 /dev/zero | tr '\\0' x; echo; echo FAIL src/a.test.ts; exit 1";
  const child = start(["exec", "-c", script], {
    folder,
    env: { NODE_OPTIONS: "--max-old-space-size=64" },
  });
  let bytes = 0;
  let memoryBytes = 0;
  child.stdout?.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    memoryBytes = Math.max(memoryBytes, residentBytes(child.pid));
  });
  child.stdin?.end();
  const [code] = await once(child, "close");
  expect({ code, bytes }).toEqual({ code: 1, bytes: 50_000_020 });
  if (process.platform === "linux") expect(memoryBytes).toBeGreaterThan(10_000_000);
  expect(memoryBytes).toBeLessThan(200_000_000);
  const { output, verdict } = await observed();
  expect(verdict).toBe("fail");
  expect(output.bytes).toBe(50_000_020);
  expect(output.digest).toMatch(/^[0-9a-f]{64}$/);
  expect(output.head).toMatch(/^x{1000}/);
  expect(output.tail).toMatch(/x\nFAIL src\/a\.test\.ts\n$/);
  const stored = readdirSync(path.join(folder, ".holdfast"), { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => statSync(path.join(folder, ".holdfast", name)).size);
  expect(stored.reduce((sum, size) => sum + size, 0)).toBeLessThan(1_000_000);
  const begun = await holdfast(["task", "start", ...A_TASK]);
  expect(begun.code, begun.stderr).toBe(0);
  expect(await answer(["task", "list"])).toMatchObject({ code: 0, json: [{ open: true }] });
  expect((await answer(["gate"])).json.decision).not.toBe("pass");
});

/** What a process holds in memory; 0 where the system has no such file. */
function residentBytes(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1_024;
  } catch {
    return 0; // It has just ended, or this is no Linux.
  }
}

test("a character that the cut of a long output would halve is left out", async () => {
  const { exec, observed } = await observing();
  await exec("-c", "printf a; head -c 200000 /dev/zero | tr '\\0' x | sed 's/x/ü/g'");
  const { output } = await observed();
  expect(output.bytes).toBe(400_001);
  expect(`${output.head}${output.tail}`).not.toContain("\ufffd");
});

test("a reader that has seen enough ends the command as it would without us", async () => {
  const { folder, observed } = await observing();
  const child = start(["exec", "--", "yes"], { folder });
  child.stdin?.end();
  child.stdout?.once("data", () => child.stdout?.destroy());
  const { code, stderr } = await endOf(child, null);
  expect({ code, stderr }).toEqual({ code: 141, stderr: "" });
  expect(await observed()).toMatchObject({ signal: "SIGPIPE", verdict: "inconclusive" });
});

test("a run in a folder of the project is recorded there and is no exact verifier run", async () => {
  const { folder, holdfast, observed } = await observing();
  await holdfast(["task", "start", ...A_TASK]);
  const below = { folder: path.join(folder, "sub") };
  expect(await holdfast(["exec", "--", "sh", "check.sh"], below)).toMatchObject({ code: 0 });
  expect(await observed()).toMatchObject({
    command: "sh check.sh",
    folder: "sub",
    verifierOf: null,
  });
  const { code, stdout } = await holdfast(["gate", "--json"]);
  expect(code).toBe(1);
  expect(JSON.parse(stdout).missing[0]).toMatchObject({ code: "verifier-missing" });
});

test("outside the project nothing is run", async () => {
  const { folder, holdfast } = await observing();
  const elsewhere = await aFolder();
  const words = ["exec", "--dir", folder, "-c", "touch ran"];
  const ended = await holdfast(words, { folder: elsewhere });
  expect(ended.code).toBe(2);
  expect(ended.stderr).toContain(`${elsewhere} lies outside the project ${folder}`);
  expect(existsSync(path.join(elsewhere, "ran"))).toBe(false);
});

test("the report tells how it went", async () => {
  const { exec } = await observing();
  const file = path.join(await aFolder(), "report.json");
  await exec("--report", file, "-c", "exit 3");
  const report = JSON.parse(readFileSync(file, "utf8"));
  expect(report).toEqual({
    command: "exit 3",
    exitCode: 3,
    signal: null,
    timedOut: false,
    verdict: "fail",
    reason: null,
    seq: 3,
    recorded: true,
    error: null,
  });
});

test("no answer is written over the journal or into git", async () => {
  const { folder, exec, holdfast } = await observing();
  const before = (await holdfast(["journal", "head", "--json"])).stdout;
  for (const file of [".holdfast/journal.sqlite", ".git/index", ".git/new.json"]) {
    const ended = await exec("--report", file, "-c", "touch ran");
    expect(ended.code, file).toBe(2);
    expect(ended.stderr).toContain("error input/not-writable");
    const exported = await holdfast(["journal", "export", "--force", "--out", file]);
    expect(exported.code, file).toBe(2);
  }
  const device = await holdfast(["journal", "export", "--force", "--out", "/dev/null"]);
  expect(device.code).toBe(2);
  expect(existsSync(path.join(folder, "ran"))).toBe(false);
  expect((await holdfast(["journal", "head", "--json"])).stdout).toBe(before);
});

test("a report that can't be written is told before anything is run", async () => {
  const { exec, folder } = await observing();
  const ended = await exec("--report", "/nowhere/report.json", "-c", "touch ran");
  expect(ended.code).toBe(2);
  expect(ended.stderr).toContain("error input/not-writable: The report /nowhere/report.json");
  expect(existsSync(path.join(folder, "ran"))).toBe(false);
});

test.each([
  [0, 3],
  [5, 5],
])("if only the end can't be recorded, %i becomes %i and the report tells", async (own, code) => {
  const { exec, folder } = await observing();
  const file = path.join(await aFolder(), "report.json");
  const journal = path.join(folder, ".holdfast", "journal.sqlite");
  const ended = await exec("--report", file, "-c", `rm '${journal}'; echo ran; exit ${own}`);
  expect(ended).toMatchObject({ code, stdout: "ran\n" });
  expect(ended.stderr).toContain("how it ended is not recorded. journal/replaced:");
  expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({
    exitCode: own,
    recorded: false,
    seq: null,
    error: { code: "journal/replaced" },
  });
});

test("with a key a command runs once; what was seen then is told again", async () => {
  const { exec, folder } = await observing();
  const words = ["--key", "k-1", "-c", "echo once >> ran; exit 4"];
  expect(await exec(...words)).toMatchObject({ code: 4 });
  const second = await exec(...words);
  expect(second).toMatchObject({ code: 4, stdout: "" });
  expect(second.stderr).toContain("was run before (event 3)");
  expect(readFileSync(path.join(folder, "ran"), "utf8")).toBe("once\n");
});

test("with a key, a command whose end nobody saw is not run again", async () => {
  const { folder, holdfast } = await observing();
  const { child, ended } = await running("sleep 600", { folder }, "--key", "k-1");
  child.kill("SIGKILL");
  await ended;
  const words = child.spawnargs.slice(child.spawnargs.indexOf("exec"));
  const again = await holdfast(words);
  expect(again.code).toBe(2);
  expect(again.stderr).toContain("its end is not known; it is not run a second time");
});

test("on a damaged journal nothing is run", async () => {
  const { folder, exec } = await observing();
  changeInDatabase(folder, "UPDATE events SET body = replace(body, 'format', 'formal')");
  const ended = await exec("-c", "touch ran");
  expect(ended.code).toBe(3);
  expect(ended.stderr).toContain("error journal/corrupt:");
  expect(existsSync(path.join(folder, "ran"))).toBe(false);
});

test("while another process holds the lock nothing is run, and the exit code says try again", async () => {
  const { folder, exec } = await observing();
  const database = new Database(path.join(folder, ".holdfast", "journal.sqlite"));
  onTestFinished(() => {
    database.close();
  });
  database.exec("BEGIN IMMEDIATE");
  const ended = await exec("-c", "touch ran");
  expect(ended).toMatchObject({ code: 4, stdout: "" });
  expect(ended.stderr).toContain("error journal/busy:");
  expect(existsSync(path.join(folder, "ran"))).toBe(false);
});

test("what a command leaves in the background does not keep its end from being told", async () => {
  const { exec, observed } = await observing();
  const ended = await exec("-c", "(for i in $(seq 200); do echo x; sleep 0.1; done) & echo hi");
  expect(ended.code).toBe(0);
  expect(await observed()).toMatchObject({ exitCode: 0 });
}, 20_000);

import fs from "node:fs";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { CRITERIA, ONE_MORE_EDIT, REAL_FIX, SUMMARY, VERIFIER } from "./project.ts";
import type { Stage } from "./stage.ts";
import { at, listAt, type Telling } from "./telling.ts";

export interface Scene {
  readonly title: string;
  readonly play: (telling: Telling, stage: Stage) => void | Promise<void>;
}

/** How long the agent may take until its verifier runs, in milliseconds. */
const AGENT_WAIT_MS = 15_000;

/** The tour, chapter by chapter. Each checks what it tells. */
export const STORY: readonly Scene[] = [
  { title: "A repository with a failing test, and a task", play: startTask },
  { title: "An agent goes to work, and is killed", play: killAgent },
  { title: "A second process picks the task up", play: resume },
  { title: "A claim of success", play: claimSuccess },
  { title: "The real fix, and its proof", play: fixAndProve },
  { title: "One more edit", play: editOnceMore },
  { title: "Done", play: conclude },
  { title: "The journal, and one flipped byte", play: flipByte },
];

function startTask(telling: Telling, stage: Stage): void {
  stage.makeProject();
  const commit = stage.git("rev-parse", "--short", "HEAD").trim();
  telling.say(
    `A small cart, committed as ${commit}. One of its tests fails: addItem takes a quantity of 0.`,
  );
  telling.run(0, "init");
  const criteria = CRITERIA.flatMap((text) => ["--criterion", text]);
  const scope = ["--scope", "src/**", "--scope", "test/**", "--lane", "tiny"];
  const started = telling.run(
    0,
    "task",
    "start",
    "--summary",
    SUMMARY,
    ...criteria,
    "--verify",
    VERIFIER,
    ...scope,
  );
  telling.say(
    `The contract is event 2 of the journal; by event ${at(started, "head", "seq")} the run is in phase ${at(started, "phase")}.`,
  );
  telling.expect(at(started, "phase") === "execute", "the run should be in phase execute");
}

async function killAgent(telling: Telling, stage: Stage): Promise<void> {
  fs.writeFileSync(stage.slowShop, "");
  const agent = stage.startAgent();
  const ended = new Promise((resolve) => agent.once("exit", (_, signal) => resolve(signal)));
  telling.say(`Process ${agent.pid} edits src/cart.js (a fix that still lets 0 through), looks at`);
  telling.say("its diff under observation, and starts the verifier:");
  telling.say("$ holdfast exec -- git diff --stat");
  telling.say("$ holdfast verify");
  const request = await verifierRequest(stage);
  telling.expect(request !== null, "the verifier should have been requested");
  if (agent.pid !== undefined) process.kill(-agent.pid, "SIGKILL");
  const signal = await ended;
  fs.rmSync(stage.slowShop, { force: true });
  telling.say(
    `While \`${VERIFIER}\` runs (requested by event ${request}), everything of it gets ${signal}.`,
  );
  telling.expect(signal === "SIGKILL", "the agent should have been killed");
}

/** Waits until the journal holds the request of the verifier, and gives its event number. */
async function verifierRequest(stage: Stage): Promise<number | null> {
  const deadline = performance.now() + AGENT_WAIT_MS;
  while (performance.now() < deadline) {
    const resumed = stage.holdfast("resume").answer;
    const call = listAt(resumed, "uncertain").find((each) => at(each, "input") === VERIFIER);
    if (call !== undefined) return Number(at(call, "seq"));
    await pause(50);
  }
  return null;
}

function resume(telling: Telling, stage: Stage): void {
  const report: unknown = JSON.parse(fs.readFileSync(stage.report, "utf8"));
  const verified = telling.run(0, "journal", "verify");
  const acknowledged = Number(at(report, "seq"));
  telling.say(
    `${at(verified, "events")} events, each linked to the one before. The last that the agent had a receipt`,
  );
  telling.say(`for is event ${acknowledged}, and it is there: nothing acknowledged was lost.`);
  telling.expect(
    Number(at(verified, "events")) >= acknowledged,
    "an acknowledged event is missing",
  );
  const resumed = telling.run(0, "resume");
  const [call] = listAt(resumed, "uncertain");
  telling.say(
    `Decision: ${at(resumed, "decision")}. Event ${at(call, "seq")} (\`${at(call, "input")}\`) was never seen to end, so it is`,
  );
  telling.say("uncertain: it counts neither as passed nor as failed.");
  telling.say(
    `Next safe step: ${at(resumed, "next", "action")} (${listAt(resumed, "next", "commands").join(", ")}).`,
  );
  telling.expect(at(call, "input") === VERIFIER, "the cut-off verifier should be uncertain");
  telling.expect(
    at(resumed, "next", "action") === "rerun-exact-verifier",
    "the verifier should be next",
  );
}

function claimSuccess(telling: Telling): void {
  telling.say("Somebody says it is done, all the same:");
  const refused = telling.run(1, "conclude", "--outcome", "completed");
  telling.say(`Refused (${at(refused, "error", "code")}). The gate lists what is missing:`);
  const gate = telling.run(1, "gate");
  sayMissing(telling, gate);
  telling.expect(at(gate, "decision") !== "pass", "the gate should not pass");
}

function fixAndProve(telling: Telling, stage: Stage): void {
  const failed = telling.run(1, "verify");
  const [first] = listAt(failed, "results");
  telling.say(`The half fix, tested: ${at(first, "verdict")} (event ${at(first, "seq")}).`);
  telling.expect(at(first, "verdict") === "fail", "the half fix should fail");
  stage.edit(REAL_FIX);
  telling.say("src/cart.js is fixed for real.");
  const passed = telling.run(0, "verify");
  const [second] = listAt(passed, "results");
  telling.say(
    `${at(second, "verdict")} (event ${at(second, "seq")}), with the same working tree before and after.`,
  );
  telling.run(
    0,
    "evidence",
    "add",
    "--criterion",
    "criterion-01",
    "--kind",
    "behavioral-check",
    "--ref",
    `command:${VERIFIER}`,
  );
  const gate = telling.run(0, "gate");
  telling.say(`The gate: ${at(gate, "decision")}.`);
}

function editOnceMore(telling: Telling, stage: Stage): void {
  stage.edit(ONE_MORE_EDIT);
  telling.say("A remark in src/cart.js is reworded. Harmless, surely?");
  const gate = telling.run(1, "gate");
  sayMissing(telling, gate);
  const stale = listAt(gate, "missing").find((item) => at(item, "code") === "verifier-stale");
  telling.expect(
    String(at(stale, "message")).includes("src/cart.js"),
    "the gate should name the file",
  );
}

function conclude(telling: Telling): void {
  telling.run(0, "verify");
  const concluded = telling.run(0, "conclude", "--outcome", "completed");
  telling.say(
    `${at(concluded, "outcome")}, by event ${at(concluded, "head", "seq")}. The receipt names the tree it holds for:`,
  );
  telling.say(
    `tree ${String(at(concluded, "receipt", "tree")).slice(0, 16)}…, head ${String(at(concluded, "head", "hash")).slice(0, 16)}…`,
  );
  telling.expect(at(concluded, "outcome") === "completed", "the task should be completed");
}

function flipByte(telling: Telling, stage: Stage): void {
  const verified = telling.run(0, "journal", "verify");
  telling.say(`All ${at(verified, "events")} events check out.`);
  const copy = path.join(stage.folder, "copy");
  fs.cpSync(path.join(stage.project, ".holdfast"), path.join(copy, ".holdfast"), {
    recursive: true,
  });
  const file = path.join(copy, ".holdfast", "journal.sqlite");
  const bytes = fs.readFileSync(file);
  // The last copy is the live one: SQLite leaves old ones behind where it split a page.
  const place = bytes.lastIndexOf(SUMMARY);
  telling.expect(place > 0, "the copy should hold the summary");
  bytes[place] = (bytes[place] ?? 0) ^ 1;
  fs.writeFileSync(file, bytes);
  telling.say(
    `In a copy, one bit of byte ${place} is flipped ("${SUMMARY}" now begins with an S):`,
  );
  const damaged = telling.runIn(copy, 3, "journal", "verify");
  const [problem] = listAt(damaged, "problems");
  telling.say(`Found: ${at(problem, "message")}`);
  telling.expect(at(problem, "code") === "content", "the flipped byte should be found as content");
}

function sayMissing(telling: Telling, gate: unknown): void {
  for (const item of listAt(gate, "missing")) {
    telling.say(`- ${at(item, "message")}`);
  }
}

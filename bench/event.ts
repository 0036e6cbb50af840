import crypto from "node:crypto";
import type { JsonObject, NewEvent } from "../src/journal/index.ts";

/** Bytes of the JSON text of `aBody`: what a tool's result typically takes. */
const BODY_BYTES = 425;

/** The n-th observation: alike in shape and size, different in content. */
function aBody(n: number): JsonObject {
  const body = {
    tool: ["shell", "read", "edit", "search"][n % 4] ?? "shell",
    call: `call-${String(n).padStart(12, "0")}`,
    command: "npm run test -- --filter journal --reporter compact",
    commandHash: String(n).padStart(64, "5"),
    exitCode: n % 17 === 0 ? 1 : 0,
    durationMs: 40 + (n % 900),
    paths: ["src/journal/append.ts", "src/journal/store.ts", "test/journal/append.test.ts"],
    at: new Date(1_700_000_000_000 + n * 137).toISOString(),
    output: "",
  };
  return { ...body, output: "x".repeat(BODY_BYTES - JSON.stringify(body).length) };
}

const sha256 = (text: string) => crypto.hash("sha256", text, "hex");
const SESSION = sha256("bench");

/** The n-th event of a run, with a key of its own. */
export function anEvent(n: number): NewEvent {
  return {
    run: "0190a5f0-0000-7000-8000-000000000000",
    type: "tool.observed",
    session: SESSION,
    cause: null,
    key: sha256(`key ${n}`),
    body: aBody(n),
  };
}

/** So many events, from the n-th on. */
export function someEvents(count: number, from = 0): readonly NewEvent[] {
  return Array.from({ length: count }, (_, index) => anEvent(from + index));
}

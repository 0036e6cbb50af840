import type { JsonObject } from "../src/journal/index.ts";

/** Bytes of the JSON text of `anEvent`: what a tool's result typically takes. */
const EVENT_BYTES = 425;

/** The n-th observation: alike in shape and size, different in content. */
export function anEvent(n: number): JsonObject {
  const event = {
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
  return { ...event, output: "x".repeat(EVENT_BYTES - JSON.stringify(event).length) };
}

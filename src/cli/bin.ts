#!/usr/bin/env node
import process from "node:process";
import { HoldfastError } from "../errors.ts";
import { assertNodeVersion } from "../node-version.ts";

/** The exit code of a Node that is too old; the table of all is in `failure.ts`. */
const TOO_OLD = 3;

// Nothing else is loaded before this: the rest needs a newer Node even to be read.
if (nodeIsNewEnough()) {
  const { main } = await import("./main.ts");
  await main(process.argv.slice(2));
} else {
  process.exitCode = TOO_OLD;
}

function nodeIsNewEnough(): boolean {
  try {
    assertNodeVersion(process.version);
    return true;
  } catch (error) {
    if (!(error instanceof HoldfastError)) throw error;
    const { code, message, remedy } = error;
    console.error(`error ${code}: ${message} ${remedy}`);
    if (process.argv.includes("--json")) {
      console.log(JSON.stringify({ error: { code, message, remedy } }));
    }
    return false;
  }
}

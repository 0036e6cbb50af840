import crypto from "node:crypto";
import { v7 } from "uuid";
import type { JournalPorts } from "../../src/journal/index.ts";

/** The real clock, ids and hash, as a process outside of tests has them. */
export const REAL_PORTS: Required<JournalPorts> = {
  clock: { now: () => Date.now() },
  ids: { uuid: () => v7(), secret: () => crypto.randomBytes(32).toString("hex") },
  sha256: (text) => crypto.hash("sha256", text, "hex"),
};

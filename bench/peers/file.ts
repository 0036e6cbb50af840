import fs from "node:fs";
import path from "node:path";
import type { Peer } from "./peer.ts";

const fileOf = (folder: string) => path.join(folder, "events.jsonl");

/** One line of JSON for each event at the end of a file, synced each time. */
export const peer: Peer = {
  survives: "full",
  async open(folder) {
    const descriptor = fs.openSync(fileOf(folder), "a");
    const append = (text: string) => {
      fs.writeSync(descriptor, text);
      fs.fdatasyncSync(descriptor);
    };
    return {
      append: ({ body }) => append(`${JSON.stringify(body)}\n`),
      appendMany: (events) =>
        append(events.map(({ body }) => `${JSON.stringify(body)}\n`).join("")),
      close: () => fs.closeSync(descriptor),
    };
  },
  async load(folder, each) {
    const lines = fs.readFileSync(fileOf(folder), "utf8").trimEnd().split("\n");
    for (const line of lines) each(JSON.parse(line));
  },
};

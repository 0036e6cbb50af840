import Database from "better-sqlite3";
import { expect, onTestFinished, test } from "vitest";
import { enterMode } from "../../src/journal-sqlite/mode.ts";

test.each([
  ["exclusive", "truncate"],
  ["shared", "wal"],
] as const)(
  "a journal that can't be kept as one that is %s needs it says so of the mode it needs",
  (type, wanted) => {
    // In memory SQLite keeps a rollback journal of its own kind and no other.
    const database = new Database(":memory:");
    onTestFinished(() => void database.close());
    const mode = type === "exclusive" ? { type, why: "it was asked for" } : { type };
    expect(() => enterMode(database, "/x/journal.sqlite", mode)).toThrow(
      expect.objectContaining({
        code: "journal/wal-unavailable",
        message: `SQLite can't keep /x/journal.sqlite in the journal mode ${wanted}: it stays in memory.`,
      }),
    );
  },
);

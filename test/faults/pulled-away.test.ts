import { test } from "vitest";
import { expectNothingIntoTheVoid } from "./pulled-away-law.ts";

test.each([
  "the journal is deleted",
  "the journal is cut to nothing",
  "its log is deleted",
  "the index of its log is deleted",
  "the state folder is replaced by a copy",
  "an older journal is put in the place of all its files",
])(
  "when %s while it is open, nothing is acknowledged that nobody will find",
  expectNothingIntoTheVoid,
  30_000,
);

// An open journal looks at which file has its name, and not at what was done to it in its place.
test.fails(
  "when the journal is overwritten by an older copy while it is open, nothing is acknowledged that nobody will find",
  () => expectNothingIntoTheVoid("the journal is overwritten by an older copy"),
  30_000,
);

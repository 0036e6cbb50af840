import { expect, test } from "vitest";
import { temporaryFolder } from "../journal-sqlite/makers.ts";
import { expectTypedWhenFull } from "./disk-full.ts";
import { WITH_OWN_DISKS, whyNoOwnDisks } from "./own-disks.ts";
import { runWorker } from "./processes.ts";

test("a disk that is full anywhere on the way to an append stores nothing of it, and says so", async ({
  skip,
}) => {
  const why = whyNoOwnDisks();
  if (why !== null) skip(why);
  const ends = await expectTypedWhenFull("append three events");
  expect(new Set(ends)).toEqual(new Set(["not done journal/storage-full", "done acknowledged"]));
}, 60_000);

test("a disk that is full anywhere on the way to a new journal leaves none, and says so", async ({
  skip,
}) => {
  const why = whyNoOwnDisks();
  if (why !== null) skip(why);
  const ends = await expectTypedWhenFull("make a journal");
  expect(new Set(ends)).toEqual(new Set(["not done journal/storage-full", "done acknowledged"]));
}, 60_000);

test("an open journal that fills its disk goes on where it stood once there is room, again and again", async ({
  skip,
}) => {
  const why = whyNoOwnDisks();
  if (why !== null) skip(why);
  const folder = temporaryFolder();
  const { said, complaints } = await runWorker(
    "disk-filling-worker",
    folder,
    () => {},
    WITH_OWN_DISKS,
  );
  expect(complaints).toBe("");
  expect(said.at(-1)).toMatch(/^ended \d+ 30$/);
}, 60_000);

import { expect, test } from "vitest";
import { EMPTY_HEAD, MemoryStore } from "../../src/journal/index.ts";
import { fixedPorts } from "./makers.ts";
import { describeStore } from "./store-suite.ts";

describeStore(async () => {
  const store = new MemoryStore(fixedPorts().ids);
  return { one: store, other: store };
});

test("a memory store is empty until a journal is opened over it", async () => {
  const store = new MemoryStore(fixedPorts().ids);
  expect((await store.extent()).head).toEqual(EMPTY_HEAD);
  expect(await store.read(0, 10)).toEqual([]);
});

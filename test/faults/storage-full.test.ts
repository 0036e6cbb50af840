import { expect, test } from "vitest";
import { MapWorkspace, openEngineOver } from "../engine/makers.ts";
import { openStoreIn, temporaryFolder } from "../journal-sqlite/makers.ts";
import { lastConnection } from "./connections.ts";

test("a full storage stores nothing of an append, and the next one goes on as if it had not been (FR-005)", async () => {
  const folder = temporaryFolder();
  const store = await openStoreIn(folder);
  const workspace = new MapWorkspace({ "src/cart.js": "v1" });
  const { engine } = await openEngineOver({ store, workspace });
  const append = (body: { n: number; text?: string }) =>
    engine.journal.append([{ type: "x.noted", body }], { session: "s" });
  await append({ n: 2 });
  await append({ n: 3 });
  const before = await engine.journal.head();

  const connection = lastConnection();
  const pages = Number(connection.pragma("page_count", { simple: true }));
  connection.pragma(`max_page_count = ${pages + 2}`);
  await expect(append({ n: 4, text: "x".repeat(1024 * 1024) })).rejects.toMatchObject({
    code: "journal/storage-full",
    kind: "journal",
  });
  expect(await engine.journal.head()).toEqual(before);
  expect((await engine.status({ session: "s" })).journal.events).toBe(3);

  connection.pragma("max_page_count = 1000000");
  const [fourth] = await append({ n: 4 });
  expect(fourth?.header).toMatchObject({ seq: 4, runSeq: 4, prev: before.hash });
  expect(await engine.journal.verify()).toMatchObject({ ok: true, events: 4 });
});

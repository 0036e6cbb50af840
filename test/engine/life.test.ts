import { expect, test } from "vitest";
import { provedTask } from "./makers.ts";
test("try", async () => {
  const { engine, run } = await provedTask();
  console.log(JSON.stringify(await engine.gate(run, { session: "ada" }), null, 1));
  const c = await engine.conclude({ outcome: "completed" }, { session: "ada" });
  console.log(JSON.stringify(c, null, 1));
  for await (const row of engine.journal.rows()) console.log(row.header.seq, row.header.type, row.header.runSeq);
});

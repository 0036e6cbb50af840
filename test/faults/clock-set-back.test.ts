import { expect, test } from "vitest";
import { openEngine } from "../../src/index.ts";
import { DRAFT, MapWorkspace, observed } from "../engine/makers.ts";
import { temporaryFolder } from "../journal-sqlite/makers.ts";
import { stateDirIn } from "./journals.ts";

const NOON = Date.UTC(2026, 0, 2, 12);
const HOUR_MS = 60 * 60 * 1_000;

/** Every number in a view that says how long something took, by its name. */
function durationsIn(view: unknown, name = ""): readonly number[] {
  if (typeof view === "number") return /Ms$|duration|elapsed/i.test(name) ? [view] : [];
  if (typeof view !== "object" || view === null) return [];
  return Object.entries(view).flatMap(([key, value]) => durationsIn(value, key));
}

test("when the clock is set back an hour, appends go on in the order of their numbers, and nothing took less than no time", async () => {
  const folder = temporaryFolder();
  const workspace = new MapWorkspace({ "src/cart.js": "v1" });
  let now = NOON;
  const open = () =>
    openEngine({
      projectDir: folder,
      stateDir: stateDirIn(folder),
      clock: { now: () => now },
      workspace,
    });
  const asking = { session: "ada" };

  const first = await open();
  const { run } = await first.startTask(DRAFT, asking);
  workspace.write("src/cart.js", "v2");
  now -= HOUR_MS;
  const { events } = await first.dispatch(observed(workspace.digest), asking);
  await first.close();

  // Another process, which comes later and has an earlier clock still.
  now -= HOUR_MS;
  const second = await open();
  const reference = `seq:${events[0]?.header.seq}`;
  await second.dispatch(
    { type: "bindEvidence", criterion: "criterion-01", kind: "behavioral-check", reference },
    asking,
  );
  const { receipt } = await second.conclude({ outcome: "completed" }, asking);
  const next = await second.startTask({ ...DRAFT, taskId: "the-next-task" }, asking);

  const headers = [];
  for await (const { header } of second.journal.rows()) headers.push(header);
  expect(headers.map(({ seq }) => seq)).toEqual(headers.map((_, index) => index + 1));
  expect(headers[0]?.at).toBe(new Date(NOON).toISOString());
  expect(headers.at(-1)?.at).toBe(new Date(NOON - 2 * HOUR_MS).toISOString());
  expect(await second.journal.verify()).toMatchObject({ ok: true, events: headers.length });
  const tasks = await second.tasks(asking);
  expect(tasks.map((task) => task.run)).toEqual([run, next.run]);

  const status = await second.status(asking);
  const views = [receipt, tasks, status, await second.resume(asking), await second.state()];
  expect(durationsIn(views).length).toBeGreaterThan(0);
  expect(durationsIn(views).filter((duration) => duration < 0)).toEqual([]);
  await second.close();
});

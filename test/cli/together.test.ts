import { expect, test } from "vitest";
import { A_TASK, aProject, endOf, eventsOf, start } from "./holdfast.ts";

test("FR-010: eight processes that begin at once on a fresh folder share one journal", async () => {
  const project = await aProject();
  const sessions = Array.from({ length: 8 }, (_, index) => `s-${index}`);
  const ended = await Promise.all(
    sessions.map((session) => {
      const words = ["task", "start", ...A_TASK, "--session", session, "--json"];
      return endOf(start(words, { folder: project.folder }));
    }),
  );
  const started = ended.filter(({ code }) => code === 0).map(({ stdout }) => JSON.parse(stdout));
  expect(started).not.toEqual([]);
  for (const { stdout } of ended.filter(({ code }) => code !== 0)) {
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: "journal/busy" } });
  }
  const events = await eventsOf(project);
  expect(events.filter(({ header }) => header.type === "journal.opened")).toHaveLength(1);
  expect(events.map(({ header }) => header.seq)).toEqual(events.map((_, index) => index + 1));
  const begun = events.filter(({ header }) => header.type === "task.started");
  expect(begun.map(({ header }) => header.run)).toEqual(
    expect.arrayContaining(started.map(({ run }) => run)),
  );
  expect((await project.holdfast(["journal", "verify"])).code).toBe(0);
});

test("commands that are observed at once are all recorded, each with its own end", async () => {
  const project = await aProject();
  await project.holdfast(["init"]);
  const codes = [11, 12, 13, 14, 15, 16];
  const ended = await Promise.all(
    codes.map((code) => project.holdfast(["exec", "-c", `exit ${code}`])),
  );
  expect(ended.map(({ code }) => code)).toEqual(codes);
  const observed = (await eventsOf(project)).filter((it) => it.header.type === "command.observed");
  expect(observed.map(({ body }) => body.exitCode).toSorted()).toEqual(codes);
});

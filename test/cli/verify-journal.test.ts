import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { openEngine } from "../../src/index.ts";
import {
  A_TASK,
  aFolder,
  aProject,
  changeInDatabase,
  NO_PHASE_TOOLS,
  type Project,
} from "./holdfast.ts";

/** A project with a journal of six events. */
async function withEvents(): Promise<Project> {
  const project = await aProject();
  await project.holdfast(["task", "start", ...A_TASK], { env: NO_PHASE_TOOLS });
  await project.holdfast(["verify"]);
  return project;
}

test("a part of the journal is verified alone", async () => {
  const { answer, folder } = await withEvents();
  expect(await answer(["journal", "verify", "--from", "3", "--to", "4"])).toMatchObject({
    code: 0,
    json: { ok: true, events: 2, head: { seq: 4 } },
  });
  changeInDatabase(folder, "UPDATE events SET body = '{}' WHERE seq = 6");
  const damaged = { code: 3, json: { problems: [{ seq: 6, code: "content" }] } };
  expect(await answer(["journal", "verify", "--from", "5"])).toMatchObject(damaged);
  for (const [from, to] of [
    ["7", "7"],
    ["4", "3"],
    ["1", "99"],
  ] as const) {
    expect(await answer(["journal", "verify", "--from", from, "--to", to])).toMatchObject({
      code: 2,
      json: { error: { code: "journal/event-unknown" } },
    });
  }
  const head = `1:${"0".repeat(64)}`;
  expect(await answer(["journal", "verify", "--from", "4", "--head", head])).toMatchObject({
    code: 2,
    json: { error: { code: "input/invalid" } },
  });
});

test("a range that is not in the journal is named as it was asked for, and what was removed is said", async () => {
  const { answer, folder } = await withEvents();
  await answer(["conclude", "--outcome", "partial", "--reason", "enough"]);
  const engine = await openEngine({ projectDir: folder });
  await engine.journal.append({ type: "x.noted", body: {} });
  const { through, head } = await engine.journal.compact({ ceiling: 3 });
  await engine.close();
  const start = through?.seq ?? 0;
  expect(start).toBeGreaterThan(3);
  const verified = (words: string) => answer(["journal", "verify", ...words.split(" ")]);
  const removed = `those up to event ${start} were removed by a compaction`;
  const ends = `the journal goes up to event ${head.seq}`;
  for (const [words, range, why] of [
    ["--from 1 --to 3", "1 to 3", removed],
    [`--from 3 --to ${head.seq}`, `3 to ${head.seq}`, removed],
    ["--from 1", "from 1 on", removed],
    ["--to 2", "up to 2", removed],
    ["--from 99", "from 99 on", ends],
    ["--to 99", "up to 99", ends],
    [`--from ${head.seq} --to ${start + 1}`, `${head.seq} to ${start + 1}`, "a range ends"],
  ] as const) {
    const { code, json } = await verified(words);
    expect({ code, json }, words).toMatchObject({
      code: 2,
      json: { error: { code: "journal/event-unknown" } },
    });
    expect(json.error.message).toContain(`The events ${range} can't be verified: ${why}`);
  }
  const kept = { code: 0, json: { ok: true, events: head.seq - start } };
  for (const words of [`--from ${start + 1}`, `--to ${head.seq}`]) {
    expect(await verified(words), words).toMatchObject(kept);
  }
  expect(await answer(["show", String(start)])).toMatchObject({ code: 2 });
  expect(await answer(["show", String(start + 1)])).toMatchObject({
    code: 0,
    json: { header: { seq: start + 1 } },
  });
});

test("a head is taken from a file that states one: an answer, a receipt or an export", async () => {
  const { answer, holdfast } = await withEvents();
  const folder = await aFolder();
  const stated = async (name: string, words: readonly string[]) => {
    const { stdout } = await holdfast(words);
    writeFileSync(path.join(folder, name), stdout);
  };
  await stated("head.json", ["journal", "head", "--json"]);
  await stated("export.jsonl", ["journal", "export"]);
  await stated("concluded.json", ["conclude", "--outcome", "partial", "--reason", "x", "--json"]);
  for (const name of ["head.json", "export.jsonl", "concluded.json"]) {
    const against = await answer(["journal", "verify", "--against", path.join(folder, name)]);
    expect(against, name).toMatchObject({ code: 0, json: { ok: true } });
  }
  const other = await withEvents();
  for (const name of ["head.json", "export.jsonl"]) {
    const file = path.join(folder, name);
    expect(await other.answer(["journal", "verify", "--against", file])).toMatchObject({
      code: 3,
      json: { problems: [{ seq: 6, code: "foreign" }] },
    });
  }
  writeFileSync(path.join(folder, "nothing"), "no head\n");
  expect(
    await answer(["journal", "verify", "--against", path.join(folder, "nothing")]),
  ).toMatchObject({ code: 2, json: { error: { code: "input/invalid" } } });
  const both = ["--head", `1:${"0".repeat(64)}`, "--against", path.join(folder, "head.json")];
  expect(await answer(["journal", "verify", ...both])).toMatchObject({ code: 2 });
  expect(await answer(["journal", "verify", "--against", "nowhere"])).toMatchObject({
    code: 2,
    json: { error: { code: "input/unreadable" } },
  });
});

test("a head is taken from the last line of an export that is whole, and from none before damage", async () => {
  const { answer, holdfast } = await withEvents();
  const { stdout } = await holdfast(["journal", "export"]);
  const lines = stdout.trimEnd().split("\n");
  const against = async (text: string) => {
    const file = path.join(await aFolder(), "export.jsonl");
    writeFileSync(file, text);
    return answer(["journal", "verify", "--against", file]);
  };
  const torn = `${lines.slice(0, 5).join("\n")}\n${lines[5]?.slice(0, 50)}`;
  expect(await against(torn)).toMatchObject({ code: 0, json: { ok: true } });
  expect(await against(stdout.trimEnd())).toMatchObject({ code: 0, json: { ok: true } });
  const damaged = `${lines.slice(0, 5).join("\n")}\n${"\0".repeat(50)}\n`;
  for (const text of [damaged, `${damaged}{"hea`]) {
    expect(await against(text)).toMatchObject({
      code: 2,
      json: { error: { code: "input/invalid" } },
    });
  }
});

test("of many problems the first hundred are shown, and how many more there are", async () => {
  const { answer, folder, holdfast } = await withEvents();
  changeInDatabase(
    folder,
    `WITH RECURSIVE more(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM more WHERE n < 150)
    INSERT INTO events SELECT seq + n, id, run, run_seq, type, at, session, cause, NULL, body_digest,
      hash, body FROM events, more WHERE seq = 6`,
  );
  const { code, json } = await answer(["journal", "verify"]);
  expect({ code, json }).toMatchObject({ code: 3, json: { ok: false, problemCount: 151 } });
  expect(json.problems).toHaveLength(100);
  const { stdout } = await holdfast(["journal", "verify"]);
  expect(stdout).toContain("156 events read, 151 problems found:");
  expect(stdout).toContain("\n  … and 51 more\n");
});

test("an export with bytes that are no UTF-8 is damage, and the line is named", async () => {
  const project = await withEvents();
  const { stdout } = await project.holdfast(["journal", "export"]);
  const bytes = Buffer.from(stdout);
  const at = stdout.indexOf("Make the check");
  bytes[at] = 0xff;
  const file = path.join(await aFolder(), "journal.jsonl");
  writeFileSync(file, bytes);
  const line = stdout.slice(0, at).split("\n").length;
  const copy = await aProject();
  expect(await copy.answer(["journal", "import", file])).toMatchObject({
    code: 3,
    json: {
      error: {
        code: "journal/import-damaged",
        message: expect.stringContaining(
          `Line ${line} of the export is damaged: its bytes are not`,
        ),
      },
    },
  });
});

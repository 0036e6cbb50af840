import fc from "fast-check";
import { expect, test } from "vitest";
import type { ContractArchive } from "../../src/engine/index.ts";
import { HoldfastError } from "../../src/errors.ts";
import { portableSha256 } from "../../src/journal/index.ts";
import { aContractV1 } from "../task/makers.ts";
import { openEngineOver } from "./makers.ts";

const ADA = { session: "ada" } as const;
const bytesOf = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));

/** An archive without a disk; `texts` are what it keeps, by digest. */
function anArchive(): ContractArchive & { readonly texts: Map<string, string> } {
  const texts = new Map<string, string>();
  return {
    texts,
    keep: async (digest, text) => {
      texts.set(digest, text);
      return `archive/${digest}`;
    },
  };
}

async function opened() {
  const archive = anArchive();
  return { archive, ...(await openEngineOver({ archive })) };
}

test("a pending contract is archived byte for byte before its run begins", async () => {
  const { engine, archive } = await opened();
  const text = `\uFEFF${JSON.stringify(aContractV1({ attempt: 2, zeal: 1 }), null, 3)}\r\n`;
  const bytes = new TextEncoder().encode(text);
  const imported = await engine.importContract(bytes, ADA);
  const digest = portableSha256(text);
  expect(imported).toMatchObject({
    taskId: "cart",
    attempt: 2,
    status: "open",
    migration: {
      status: "new-attempt-required",
      requiredAction: "start-new-attempt",
      claimedOutcome: "pending",
    },
    archive: { path: `archive/${digest}`, digest, bytes: bytes.length },
    warnings: [expect.stringContaining("zeal")],
  });
  expect([...archive.texts]).toEqual([[digest, text]]);
  const { task } = await engine.task(imported.run);
  expect(task.migratedFrom?.archive).toEqual({ digest, bytes: bytes.length });
  expect(await engine.resume(ADA)).toMatchObject({ decision: "resume", run: imported.run });
});

test("the session that the contract names goes on with the attempt", async () => {
  const { engine } = await opened();
  for (const [taskId, sessionId, session] of [
    ["one", "s-1", "s-1"],
    ["two", "s-2", "pi:s-2"],
  ] as const) {
    const imported = await engine.importContract(bytesOf(aContractV1({ taskId, sessionId })), {
      session,
    });
    expect(imported.migration).toMatchObject({
      status: "verification-refresh-required",
      requiredAction: "rerun-exact-verifier",
    });
  }
});

test("the same bytes again give the same answer, whatever became of the run and whoever asks", async () => {
  const { engine, store, workspace, archive } = await opened();
  const bytes = bytesOf(aContractV1());
  const first = await engine.importContract(bytes, ADA);
  await engine.conclude({ outcome: "partial", reason: "enough" }, ADA);
  const { head } = await engine.journal.extent();
  const { engine: second } = await openEngineOver({ store, workspace, archive, kind: 2 });
  archive.texts.clear();
  expect(await second.importContract(bytes, { session: "bob" })).toEqual(first);
  expect(await second.journal.head()).toEqual(head);
  expect(archive.texts.size).toBe(1);
});

test("of two that import it at once, both are told of the one run", async () => {
  const { engine, store, workspace, archive } = await opened();
  const { engine: second } = await openEngineOver({ store, workspace, archive, kind: 2 });
  const bytes = bytesOf(aContractV1());
  const [one, other] = await Promise.all([
    engine.importContract(bytes, ADA),
    second.importContract(bytes, ADA),
  ]);
  expect(other).toEqual(one);
  expect(await engine.tasks()).toHaveLength(1);
});

// Put together here, so that no file of this repository looks as if it held a secret.
const SECRET = ["ghp", "q7Vn3XcR8sLk2WzT9bYh5MdJ4fGp6aQeU1oN"].join("_");

const text = (content: string) => new TextEncoder().encode(content);
const REFUSED: readonly (readonly [string, Uint8Array, string, string])[] = [
  ["no JSON", text("{"), "input/invalid", "is no JSON"],
  ["a list", text("[]"), "input/invalid", "no JSON object"],
  ["no UTF-8", new Uint8Array([0x7b, 0xff, 0x7d]), "input/invalid", "UTF-8"],
  ["too large", new Uint8Array(8 * 1024 * 1024 + 1), "contract/file-too-large", "8388608"],
  ["of version 2", bytesOf({ schemaVersion: 2 }), "contract/version-unsupported", "2 already"],
  ["of version 0", bytesOf({ schemaVersion: 0 }), "contract/version-unsupported", "is 0"],
  ["of no version", bytesOf({}), "contract/version-unsupported", "missing"],
  ["without its summary", bytesOf(without("summary")), "contract/invalid", "lacks summary"],
  ["without its outcome", bytesOf(without("trace")), "contract/invalid", "lacks trace"],
  [
    "of another outcome",
    bytesOf({ ...aContractV1(), trace: { outcome: "done" } }),
    "contract/invalid",
    "/trace/outcome",
  ],
  [
    "of 13 criteria",
    bytesOf(aContractV1({ acceptanceCriteria: Array(13).fill("it holds") })),
    "contract/invalid",
    "/acceptanceCriteria",
  ],
  ["of no slug", bytesOf(aContractV1({ taskId: "No Slug" })), "contract/invalid", "/taskId"],
  [
    "without a verifier",
    bytesOf(aContractV1({ verifyCommands: [] })),
    "contract/no-verifier",
    "none",
  ],
  ["that leads out", bytesOf(aContractV1({ scope: ["../x"] })), "contract/scope-invalid", "../x"],
  [
    "whose command holds a secret",
    bytesOf(aContractV1({ verifyCommands: [`TOKEN=${SECRET} npm test`] })),
    "contract/secret-in-command",
    "command 1",
  ],
  [
    "that holds a secret",
    bytesOf(aContractV1({ verifyEvidence: [{ summary: SECRET }] })),
    "contract/secret-in-file",
    "secret",
  ],
  [
    "that holds a hidden secret",
    text(JSON.stringify(aContractV1()).replace("{", `{"summary":"${SECRET}",`)),
    "contract/secret-in-file",
    "secret",
  ],
  [
    "of half a character",
    text(JSON.stringify(aContractV1()).replace("below", "\\ud800")),
    "journal/not-canonical",
    "surrogate",
  ],
];

function without(name: string): object {
  return Object.fromEntries(Object.entries(aContractV1()).filter(([field]) => field !== name));
}

test.each(REFUSED)(
  "what is %s is refused, and nothing is kept of it",
  async (_, bytes, code, named) => {
    const { engine, archive } = await opened();
    const head = await engine.journal.head();
    await expect(engine.importContract(bytes, ADA)).rejects.toMatchObject({
      code,
      message: expect.stringContaining(named),
      remedy: expect.stringMatching(/\S/),
    });
    expect(archive.texts.size).toBe(0);
    expect(await engine.journal.head()).toEqual(head);
  },
);

test("junk never ends in anything but an error with a code", async () => {
  const { engine, archive } = await opened();
  const aField = fc.constantFrom(...Object.keys(aContractV1()));
  const aMutation = fc
    .tuple(aField, fc.jsonValue())
    .map(([name, value]) => bytesOf({ ...aContractV1(), [name]: value }));
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        fc.uint8Array({ maxLength: 40 }),
        fc.json().map(text),
        fc.jsonValue().map((more) => bytesOf({ schemaVersion: 1, more })),
        aMutation,
      ),
      async (bytes) => {
        const kept = archive.texts.size;
        try {
          await engine.importContract(bytes, ADA);
          expect(archive.texts.size).toBeGreaterThan(0);
        } catch (error) {
          expect(error).toBeInstanceOf(HoldfastError);
          expect(archive.texts.size).toBe(kept);
        }
      },
    ),
    { numRuns: 300 },
  );
});

test("what can't be archived begins no run", async () => {
  const broken: ContractArchive = {
    keep: async () => {
      throw new HoldfastError("contract/archive-conflict", "It is taken.", "Look at it.");
    },
  };
  const { engine } = await openEngineOver({ archive: broken });
  const bytes = bytesOf(aContractV1());
  await expect(engine.importContract(bytes, ADA)).rejects.toMatchObject({
    code: "contract/archive-conflict",
  });
  expect(await engine.tasks()).toEqual([]);
  const { engine: bare } = await openEngineOver();
  await expect(bare.importContract(bytes, ADA)).rejects.toMatchObject({
    code: "input/invalid",
    message: expect.stringContaining("without an archive"),
  });
});

test("an imported attempt that is over is remembered where it is compacted, and never as completed", async () => {
  const { engine } = await opened();
  const ended = aContractV1({ attempt: 2, trace: { outcome: "completed" } });
  await engine.importContract(bytesOf(ended), ADA);
  const events = Array.from({ length: 4 }, (_, n) => ({ type: "x.noted" as const, body: { n } }));
  await engine.journal.append(events, ADA);
  const { tasks } = await engine.journal.compact({ ceiling: 3 }, ADA);
  expect(tasks).toMatchObject([{ taskId: "cart", outcome: "historical", attempts: 2 }]);
  await expect(engine.importContract(bytesOf(ended), ADA)).rejects.toMatchObject({
    code: "contract/attempt-taken",
  });
  const next = await engine.importContract(bytesOf(aContractV1({ attempt: 3 })), ADA);
  expect(next).toMatchObject({ attempt: 3, status: "open" });
});

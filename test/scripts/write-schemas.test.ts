import { readFileSync } from "node:fs";
import path from "node:path";
import { Compile } from "typebox/schema";
import { expect, test } from "vitest";
import { existingFiles, outdatedFiles, schemaFiles } from "../../scripts/write-schemas.ts";
import { EVENT_TYPES } from "../../src/task/index.ts";

const ROOT = path.join(import.meta.dirname, "../..");
const stored = (file: string) => readFileSync(path.join(ROOT, file), "utf8");
const documents = await schemaFiles();

test("the files in schemas/ are what the definitions say", async () => {
  expect(await outdatedFiles(stored, existingFiles())).toEqual([]);
});

test("a file that was changed, one that is missing and one too many are noticed", async () => {
  const [first = "", second = ""] = documents.keys();
  const read = (file: string) => {
    if (file === first) return stored(file).replace("string", "number");
    return file === second ? null : stored(file);
  };
  const existing = [...existingFiles(), "schemas/gone.json"];
  expect(await outdatedFiles(read, existing)).toEqual([first, second, "schemas/gone.json"]);
});

test("each type of event has its file", () => {
  const types = [...EVENT_TYPES, "journal.opened", "journal.shed", "journal.compacted"];
  for (const type of types) expect(documents.keys()).toContain(`schemas/events/${type}.json`);
});

test.each([...documents])("%s is a schema by itself that says what it is", (file, text) => {
  const document = JSON.parse(text);
  expect(document).toMatchObject({
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: `urn:holdfast:schema:${file.replace(/^schemas\/|\.json$/g, "")}`,
    title: expect.stringMatching(/./),
    description: expect.stringMatching(/^[A-Z].*\.$/),
  });
  expect(Compile(document).Check("no such thing")).toBe(false);
});

test("every object that lists its fields takes no others", () => {
  for (const [file, text] of documents) {
    const open: unknown[] = [];
    JSON.parse(text, (_, value) => {
      const isOpen = Object.keys(value?.properties ?? {}).length > 0 && value.type === "object";
      if (isOpen && value.additionalProperties !== false) open.push(value);
      return value;
    });
    expect(open, file).toEqual([]);
  }
});

test("what stands above a field in the sources describes it, also where another schema takes it over", () => {
  const fieldsOf = (file: string) =>
    JSON.parse(documents.get(`schemas/${file}.json`) ?? "").properties;
  expect(fieldsOf("views/gate-report").missing.items.properties.remedy).toMatchObject({
    description: expect.stringMatching(/^What can be done about it/),
  });
  expect(fieldsOf("events/tool.requested").keyId).toMatchObject({
    description: expect.stringMatching(/^Which key made the hash/),
  });
  expect(fieldsOf("views/criteria").criteria.items.properties.status).toMatchObject({
    description: expect.stringMatching(/^`blocked`/),
  });
  expect(fieldsOf("task-draft").summary).not.toHaveProperty("description");
});

import fs from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { keepInArchive } from "../../src/state-folder/index.ts";
import { temporaryFolder } from "../journal-sqlite/makers.ts";
import { sha256 } from "../task/makers.ts";

const TEXT = '\uFEFF{ "summary": "Reject it: \u{1F6D1}" }\r\n';
const DIGEST = sha256(TEXT);
const NAME = `contract-${DIGEST}.json`;

/** Which file it is, and since when it is as it is. */
function lastChange(file: string) {
  const { ino, mode, size, ctimeMs } = fs.lstatSync(file);
  return { ino, mode, size, ctimeMs };
}

const keep = (stateDir: string) => keepInArchive(stateDir, DIGEST, TEXT);

test("a text is kept byte for byte under its digest, for its owner alone", () => {
  const stateDir = temporaryFolder();
  const file = keep(stateDir);
  expect(file).toBe(path.join(stateDir, "archive", NAME));
  expect(fs.readFileSync(file)).toEqual(Buffer.from(TEXT));
  expect(fs.statSync(file).mode & 0o777).toBe(0o600);
  expect(fs.statSync(path.dirname(file)).mode & 0o777).toBe(0o700);
  expect(fs.readdirSync(path.dirname(file))).toEqual([NAME]);
});

test("what is kept already stays as it is", () => {
  const stateDir = temporaryFolder();
  const file = keep(stateDir);
  const before = lastChange(file);
  expect(keep(stateDir)).toBe(file);
  expect(lastChange(file)).toEqual(before);
});

test.each([
  ["other bytes", (file: string) => fs.writeFileSync(file, "other")],
  ["as many other bytes", (file: string) => fs.writeFileSync(file, Buffer.from(TEXT).fill("x"))],
  ["a folder", (file: string) => fs.mkdirSync(file)],
  ["a link that leads nowhere", (file: string) => fs.symlinkSync("nowhere", file)],
])("where %s has its name, nothing is kept and nothing is changed", (_, put) => {
  const stateDir = temporaryFolder();
  const file = path.join(stateDir, "archive", NAME);
  fs.mkdirSync(path.dirname(file));
  put(file);
  const before = lastChange(file);
  expect(() => keep(stateDir)).toThrow(
    expect.objectContaining({ code: "contract/archive-conflict" }),
  );
  expect(lastChange(file)).toEqual(before);
  expect(fs.readdirSync(path.dirname(file))).toEqual([NAME]);
});

test("the archive is never reached over a link", () => {
  const [stateDir, elsewhere] = [temporaryFolder(), temporaryFolder()];
  fs.symlinkSync(elsewhere, path.join(stateDir, "archive"));
  expect(() => keep(stateDir)).toThrow(expect.objectContaining({ code: "journal/unsafe-path" }));
  expect(fs.readdirSync(elsewhere)).toEqual([]);
});

test("a text whose name is taken meanwhile is compared with what took it", () => {
  const link = vi.spyOn(fs, "linkSync").mockImplementationOnce((_, file) => {
    fs.writeFileSync(file, "other");
    throw Object.assign(new Error("EEXIST: taken"), { code: "EEXIST" });
  });
  onTestFinished(() => link.mockRestore());
  const stateDir = temporaryFolder();
  expect(() => keep(stateDir)).toThrow(
    expect.objectContaining({ code: "contract/archive-conflict" }),
  );
  expect(fs.readFileSync(path.join(stateDir, "archive", NAME), "utf8")).toBe("other");
  expect(fs.readdirSync(path.join(stateDir, "archive"))).toEqual([NAME]);
});

test("it is kept where there are no hard links, and a full disk is told", () => {
  const stateDir = temporaryFolder();
  const link = vi.spyOn(fs, "linkSync").mockImplementation(() => {
    throw Object.assign(new Error("EPERM: no hard links here"), { code: "EPERM" });
  });
  onTestFinished(() => link.mockRestore());
  expect(fs.readFileSync(keep(stateDir), "utf8")).toBe(TEXT);

  const write = vi.spyOn(fs, "writeFileSync").mockImplementation(() => {
    throw Object.assign(new Error("ENOSPC: full"), { code: "ENOSPC" });
  });
  onTestFinished(() => write.mockRestore());
  const full = temporaryFolder();
  expect(() => keep(full)).toThrow(expect.objectContaining({ code: "journal/storage-full" }));
  expect(fs.readdirSync(path.join(full, "archive"))).toEqual([]);
});

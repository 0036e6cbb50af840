import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { openWorkspace } from "../../src/workspace/index.ts";
import { emptyFolder, link, repositoryWith, write } from "./repositories.ts";

async function digestIn(folder: string, file: string): Promise<string | null> {
  const workspace = await openWorkspace({ projectDir: folder, stateDir: `${folder}/.holdfast` });
  return workspace.fileDigest(file);
}

const digestOf = (text: string) => `sha256:${createHash("sha256").update(text).digest("hex")}`;

test("the digest of a file is the hash of its raw bytes, whatever git would do with them", async () => {
  const folder = repositoryWith({ ".gitattributes": "* text\n", "sub/a.txt": "1\r\n" });
  expect(await digestIn(folder, "sub/a.txt")).toBe(digestOf("1\r\n"));
  expect(await digestIn(folder, "./sub/../sub/a.txt")).toBe(digestOf("1\r\n"));
  expect(await digestIn(folder, `${folder}/sub/a.txt`)).toBe(digestOf("1\r\n"));
});

test("a file of more bytes than are read at once is hashed as a whole", async () => {
  const folder = emptyFolder();
  const content = "0123456789".repeat(300_000);
  write(folder, { "large.bin": content });
  expect(await digestIn(folder, "large.bin")).toBe(digestOf(content));
});

test("a link is followed within the project and never out of it", async () => {
  const outside = emptyFolder();
  write(outside, { "secret.txt": "secret" });
  const folder = emptyFolder();
  write(folder, { "a.txt": "1", "secret.txt": "of the project" });
  link(folder, "inside", "a.txt");
  link(folder, "outside", `${outside}/secret.txt`);
  link(folder, "folder", outside);
  link(folder, "loop", "loop");
  expect(await digestIn(folder, "inside")).toBe(digestOf("1"));
  for (const file of ["outside", "folder/secret.txt", "loop"]) {
    expect(await digestIn(folder, file)).toBeNull();
  }
});

test("what is no ordinary file of the project has no digest", async () => {
  const folder = `${emptyFolder()}/project`;
  write(folder, { "sub/a.txt": "1", ".holdfast/journal.sqlite": "1", "../beside.txt": "1" });
  execFileSync("mkfifo", [`${folder}/pipe`]);
  for (const file of [
    "",
    ".",
    "sub",
    "missing",
    "sub/a.txt/x",
    "pipe",
    "../beside.txt",
    "/etc/hostname",
    ".holdfast/journal.sqlite",
    "nul\0byte",
  ]) {
    expect(await digestIn(folder, file)).toBeNull();
  }
});

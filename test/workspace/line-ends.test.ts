import { expect, test } from "vitest";
import {
  commitAll,
  digest,
  emptyFolder,
  git,
  movesDigest,
  read,
  repositoryWith,
  write,
} from "./repositories.ts";

const FILES = {
  ".gitattributes": "* text=auto\n",
  "a.txt": "x\ny\n",
  "b.bin": Buffer.from([0x00, 0x0d, 0x0a]),
};

function checkout(source: string, ...settings: string[]): string {
  const folder = `${emptyFolder()}/checkout`;
  git(
    source,
    "clone",
    "--quiet",
    ...settings.flatMap((setting) => ["-c", setting]),
    source,
    folder,
  );
  return folder;
}

test("checkouts of equal content with LF and with CRLF have the same digest", async () => {
  const source = repositoryWith(FILES);
  const withLf = checkout(source);
  const withCrlf = checkout(source, "core.autocrlf=true");
  expect(await digest(withCrlf)).toBe(await digest(withLf));
  expect(await movesDigest(withCrlf, () => write(withCrlf, { "a.txt": "x\r\ny\r\n" }))).toBe(false);
});

test.each([
  ["between two lines", "x\r\ny\n"],
  ["in the middle of a line", "x\ry\n"],
  ["before a CRLF", "x\r\r\ny\r\n"],
])("a carriage return %s gives another digest", async (_, content) => {
  const folder = checkout(repositoryWith(FILES));
  const before = await digest(folder);
  write(folder, { "a.txt": content });
  const after = await read(folder);
  expect(after.digest).not.toBe(before);
  expect(Object.keys(after.dirty)).toEqual(["a.txt"]);
});

test("a text file whose every line end changed is the same content to git, and keeps the digest", async () => {
  const folder = checkout(repositoryWith(FILES));
  const before = await digest(folder);
  write(folder, { "a.txt": "x\r\ny\r\n" });
  expect(await read(folder)).toMatchObject({ digest: before, dirty: {} });
  commitAll(folder);
  expect(await digest(folder)).toBe(before);
});

test("the bytes of a binary file are taken as they are", async () => {
  const folder = checkout(repositoryWith(FILES), "core.autocrlf=true");
  expect(
    await movesDigest(folder, () => write(folder, { "b.bin": Buffer.from([0x00, 0x0a]) })),
  ).toBe(true);
});

test("a new file has the digest before it is staged that it has afterwards", async () => {
  const folder = checkout(repositoryWith(FILES), "core.autocrlf=true");
  write(folder, { "new.txt": "1\r\n2\r\n" });
  expect(await movesDigest(folder, () => git(folder, "add", "--all"))).toBe(false);
  write(folder, { "a.txt": "x\r\nedited\r\n" });
  expect(await movesDigest(folder, () => git(folder, "add", "--all"))).toBe(false);
});

test.each(["text=auto", "autocrlf"])(
  "a text recorded with CRLF stays so when it is edited, as with git add (%s)",
  async (means) => {
    const folder = repositoryWith({ "old.txt": "1\r\n2\r\n" });
    if (means === "autocrlf") git(folder, "config", "core.autocrlf", "input");
    else write(folder, { ".gitattributes": "* text=auto\n" });
    write(folder, { "old.txt": "1\r\n2\r\n3\r\n" });
    expect(await movesDigest(folder, () => git(folder, "add", "--all"))).toBe(false);
    write(folder, { "old.txt": "1\r\n2\r\n4\r\n" });
    expect(await movesDigest(folder, () => git(folder, "add", "--all"))).toBe(false);
  },
);

test("a text recorded with mixed line ends stays so when it is edited, as with git add", async () => {
  const folder = repositoryWith({ "old.txt": "1\r\n2\n" });
  write(folder, { ".gitattributes": "* text=auto\n", "old.txt": "1\r\n2\n3\r\n" });
  expect(await movesDigest(folder, () => git(folder, "add", "--all"))).toBe(false);
});

test("keywords and encodings that git converts by itself keep the digest when they are staged", async () => {
  const folder = repositoryWith({
    ".gitattributes": "*.id ident\n*.u16 working-tree-encoding=UTF-16LE\n",
  });
  write(folder, { "a.id": "$Id: expanded $\n", "b.u16": Buffer.from("text\n", "utf16le") });
  expect(await movesDigest(folder, () => commitAll(folder))).toBe(false);
});

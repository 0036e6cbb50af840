import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import {
  commitAll,
  emptyFolder,
  movesDigest,
  read,
  repositoryWith,
  write,
} from "./repositories.ts";

const NAMES = [
  "with space.txt",
  " leading and trailing ",
  "new\nline.txt",
  "tab\there.txt",
  "carriage\r",
  "-dash.txt",
  "--stdin-paths",
  ":(top)magic",
  "*.txt",
  "#hash",
  "back\\slash",
  'ends with quote"',
  "ünïcode/日本.txt",
  "\u0001control",
];

test.each(NAMES)("a file named %j counts and is listed under its name", async (name) => {
  const folder = repositoryWith({ "a.txt": "1\n" });
  write(folder, { [name]: "1\n" });
  expect(Object.keys((await read(folder)).dirty)).toEqual([name]);
  expect(await movesDigest(folder, () => commitAll(folder))).toBe(false);
  expect(await movesDigest(folder, () => write(folder, { [name]: "2\n" }))).toBe(true);
  expect(Object.keys((await read(folder)).dirty)).toEqual([name]);
});

test("names that are not UTF-8, or begin with a quotation mark, are listed in git's quoted form", async () => {
  const folder = repositoryWith({ "a.txt": "1\n" });
  const latin = Buffer.concat([Buffer.from(`${folder}/caf`), Buffer.from([0xe9, 0x0a])]);
  writeFileSync(latin, "1\n");
  write(folder, { '"quoted"': "1\n", '"caf\\351\\012"': "1\n" });
  const before = await read(folder);
  commitAll(folder);
  const committed = await read(folder);
  writeFileSync(latin, "2\n");
  const after = await read(folder);

  expect(Object.keys(before.dirty)).toEqual([
    '"\\"caf\\\\351\\\\012\\""',
    '"\\"quoted\\""',
    '"caf\\351\\012"',
  ]);
  expect(committed).toMatchObject({ digest: before.digest, dirty: {} });
  expect(after.digest).not.toBe(before.digest);
  expect(Object.keys(after.dirty)).toEqual(['"caf\\351\\012"']);
});

test("names of all kinds count in a folder without git", async () => {
  const folder = emptyFolder();
  for (const name of NAMES) write(folder, { [name]: "1\n" });
  writeFileSync(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xff])]), "1\n");
  const reading = await read(folder);
  expect(new Set(Object.keys(reading.dirty))).toEqual(new Set([...NAMES, '"\\377"']));
});

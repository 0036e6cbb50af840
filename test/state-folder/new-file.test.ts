import fs from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { writeNewFile } from "../../src/cli/new-file.ts";
import { openStoreIn, temporaryFolder } from "../journal-sqlite/makers.ts";

async function* whole() {
  yield "whole";
}

/** All that write a file under a name that the caller gives. */
const WRITERS = [
  [
    "an export",
    async () => (file: string, replace: boolean) => writeNewFile(file, { replace, text: whole() }),
  ],
  [
    "a backup",
    async () => {
      const store = await openStoreIn(temporaryFolder());
      return (file: string, replace: boolean) => store.backup(file, { replace });
    },
  ],
] as const;

/** As on file systems that keep one name for each file. */
function withoutHardLinks(code: string): void {
  const link = vi.spyOn(fs, "linkSync").mockImplementation(() => {
    throw Object.assign(new Error(`${code}: no hard links here`), { code, syscall: "link" });
  });
  onTestFinished(() => link.mockRestore());
}

test.each(WRITERS)(
  "%s is written where there are no hard links, and still takes the place of nothing",
  async (_, begun) => {
    const write = await begun();
    for (const code of ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"]) {
      withoutHardLinks(code);
      const folder = temporaryFolder();
      const file = path.join(folder, "mine");
      await write(file, false);
      expect(fs.statSync(file).size).toBeGreaterThan(0);
      expect(fs.statSync(file).mode & 0o777).toBe(0o600);
      await expect(write(file, false)).rejects.toMatchObject({ code: "input/exists" });
      expect(fs.readdirSync(folder)).toEqual(["mine"]);
    }
  },
);

test.each(WRITERS)(
  "%s takes no name that another one took meanwhile, with hard links or without",
  async (_, begun) => {
    const write = await begun();
    const folder = temporaryFolder();
    for (const [name, code] of [
      ["linked", "EEXIST"],
      ["moved", "EPERM"],
    ] as const) {
      const file = path.join(folder, name);
      const link = vi.spyOn(fs, "linkSync").mockImplementation(() => {
        fs.writeFileSync(file, "precious");
        throw Object.assign(new Error(code), { code, syscall: "link" });
      });
      await expect(write(file, false)).rejects.toMatchObject({ code: "input/exists" });
      link.mockRestore();
      expect(fs.readFileSync(file, "utf8")).toBe("precious");
    }
    expect(fs.readdirSync(folder)).toEqual(["linked", "moved"]);
  },
);

test.each(WRITERS)(
  "%s leaves a link that leads nowhere, unless it is to be replaced",
  async (_, begun) => {
    const write = await begun();
    const file = path.join(temporaryFolder(), "link");
    fs.symlinkSync("nowhere", file);
    await expect(write(file, false)).rejects.toMatchObject({ code: "input/exists" });
    await write(file, true);
    expect(fs.lstatSync(file).isFile()).toBe(true);
  },
);

test.each(WRITERS)(
  "%s says of a place that can't be written that it is not writable",
  async (_, begun) => {
    const write = await begun();
    const folder = temporaryFolder();
    fs.writeFileSync(path.join(folder, "a-file"), "");
    fs.mkdirSync(path.join(folder, "a-folder", "full"), { recursive: true });
    for (const place of ["no/where", "a-file/below"]) {
      await expect(write(path.join(folder, place), false)).rejects.toMatchObject({
        code: "input/not-writable",
      });
    }
    await expect(write(path.join(folder, "a-folder"), true)).rejects.toMatchObject({
      code: "input/not-writable",
    });
    expect(fs.readdirSync(folder)).toEqual(["a-file", "a-folder"]);
  },
);

import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { emptyFolder, read, remove, repositoryWith, write } from "./repositories.ts";

/** Appends to a file without end, in a process of its own. */
async function keepAppending(file: string): Promise<void> {
  const script = `const fs = require("node:fs"); process.stdout.write("x");
    for (;;) fs.appendFileSync(process.argv[1], "x");`;
  const writer = spawn(process.execPath, ["-e", script, file], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  onTestFinished(() => {
    writer.kill("SIGKILL");
  });
  await once(writer.stdout, "data");
}

test.each([
  ["an untracked file", () => repositoryWith({ "a.txt": "1\n" })],
  ["a tracked file", () => repositoryWith({ "a.txt": "1\n", "log.txt": "1\n" })],
  ["a file without git", () => emptyFolder()],
])(
  "%s that changes while it is read makes the digest unavailable and is named",
  async (_, make) => {
    const folder = make();
    write(folder, { "log.txt": "0123456789".repeat(2_000_000) });
    await keepAppending(`${folder}/log.txt`);
    expect(await read(folder)).toMatchObject({
      digest: null,
      unavailable: [{ path: "log.txt", reason: "changed-while-read" }],
    });
  },
);

test.skipIf(process.getuid?.() === 0)(
  "files and folders that can't be read are named",
  async () => {
    const folder = repositoryWith({ "a.txt": "1\n", "closed/b.txt": "1\n" });
    write(folder, { "a.txt": "2\n", "new.txt": "1\n" });
    chmodSync(`${folder}/a.txt`, 0o000);
    chmodSync(`${folder}/new.txt`, 0o000);
    expect(await read(folder)).toMatchObject({
      digest: null,
      unavailable: [
        { path: "a.txt", reason: "unreadable" },
        { path: "new.txt", reason: "unreadable" },
      ],
    });
    remove(folder, "a.txt");
    remove(folder, "new.txt");
    chmodSync(`${folder}/closed`, 0o000);
    const closed = await read(folder);
    chmodSync(`${folder}/closed`, 0o700);
    expect(closed.digest).toBeNull();
    expect(closed.unavailable.map(({ reason }) => reason)).toContain("unreadable");
  },
);

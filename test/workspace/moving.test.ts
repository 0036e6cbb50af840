import { appendFileSync, chmodSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { emptyFolder, read, remove, repositoryWith, write } from "./repositories.ts";

/** Appends to a file each time the event loop has its turn, which is at least once in each reading. */
function keepAppending(file: string): void {
  let isRunning = true;
  const append = () => {
    if (!isRunning) return;
    appendFileSync(file, "x");
    setImmediate(append);
  };
  append();
  onTestFinished(() => {
    isRunning = false;
  });
}

test.each([
  ["an untracked file", () => repositoryWith({ "a.txt": "1\n" })],
  ["a tracked file", () => repositoryWith({ "a.txt": "1\n", "log.txt": "1\n" })],
  ["a file without git", () => emptyFolder()],
])(
  "%s that changes while it is read makes the digest unavailable and is named",
  async (_, make) => {
    const folder = make();
    write(folder, { "log.txt": "0123456789".repeat(300_000) });
    keepAppending(`${folder}/log.txt`);
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

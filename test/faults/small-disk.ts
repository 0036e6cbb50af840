/** A small disk of this process's own; see `own-disks.ts`. Needs no running test. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { closeSync, ftruncateSync, openSync, writeSync } from "node:fs";

const DISK_BYTES = 8 * 1024 * 1024;
/** What such a disk gives away at a time. */
const PAGE_BYTES = 4_096;

/** Mounts it over a folder. */
export function mountSmallDisk(folder: string): void {
  const size = `size=${DISK_BYTES}`;
  const { status } = spawnSync("mount", ["-t", "tmpfs", "-o", size, "tmpfs", folder], {
    stdio: "inherit",
  });
  assert.equal(status, 0);
}

/** Fills the disk with a file, but for so many pages. */
export function fill(file: string, pages: number): void {
  const descriptor = openSync(file, "w");
  let bytes = 0;
  try {
    for (;;) bytes += writeSync(descriptor, Buffer.alloc(PAGE_BYTES));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
  }
  ftruncateSync(descriptor, Math.max(0, bytes - pages * PAGE_BYTES));
  closeSync(descriptor);
}

import { randomUUID } from "node:crypto";
import { statSync } from "node:fs";
import { type FileHandle, link, lstat, open, rename, rm } from "node:fs/promises";
import path from "node:path";
import { HoldfastError } from "../errors.ts";
import { FILE_MODE, pathWithin, realPathOfFuture } from "../state-folder/index.ts";

/**
 * Refuses a place where an answer would destroy something: the state folder, what belongs to git,
 * and whatever is no ordinary file.
 *
 * @throws HoldfastError `input/not-writable`
 */
export function assertAnswerPlace(file: string, stateDir: string): void {
  const real = realPathOfFuture(path.resolve(file));
  const isGuarded = pathWithin(stateDir, real) !== null || real.split(path.sep).includes(".git");
  const stat = statSync(real, { throwIfNoEntry: false });
  if (!isGuarded && (stat === undefined || stat.isFile())) return;
  throw new HoldfastError(
    "input/not-writable",
    `${file} is no place for an answer: it ${isGuarded ? "belongs to Holdfast or to git" : "is no ordinary file"}.`,
    "Name another file.",
  );
}

/**
 * Writes a file under another name beside it and puts it in place when it is whole: nobody finds
 * half of it, and what was there stays until then.
 *
 * @throws HoldfastError `input/exists` where a file is and it is not to be replaced,
 * `input/not-writable`
 */
export async function writeNewFile(
  file: string,
  { replace, text }: { readonly replace: boolean; readonly text: AsyncIterable<string> },
): Promise<void> {
  if (!replace && (await isThere(file))) throw exists(file);
  const draft = `${file}.${randomUUID()}.tmp`;
  try {
    const handle = await open(draft, "wx", FILE_MODE);
    await writeAndClose(handle, text);
    if (replace) await rename(draft, file);
    else await link(draft, file);
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    if (cause instanceof HoldfastError || code === undefined) throw cause;
    if (code === "EEXIST") throw exists(file);
    throw new HoldfastError(
      "input/not-writable",
      `${file} can't be written: ${message}.`,
      "Name a file in a folder that you may write to, with room for it.",
      { cause },
    );
  } finally {
    await rm(draft, { force: true }).catch(() => {}); // The file itself is there, or it was said why not.
  }
}

async function writeAndClose(handle: FileHandle, text: AsyncIterable<string>): Promise<void> {
  try {
    for await (const part of text) await handle.appendFile(part);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function isThere(file: string): Promise<boolean> {
  return lstat(file).then(
    () => true,
    () => false, // Whatever else is wrong with it comes up when it is written.
  );
}

function exists(file: string): HoldfastError {
  return new HoldfastError(
    "input/exists",
    `${file} exists already.`,
    "Name another file, or replace it with --force.",
  );
}

import { statSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import path from "node:path";
import { HoldfastError } from "../errors.ts";
import {
  draftOf,
  FILE_MODE,
  newFileFailure,
  pathWithin,
  putInPlace,
  type Replacing,
  realPathOfFuture,
  removeDraft,
} from "../state-folder/index.ts";

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
 * Writes a file under another name beside it and puts it in place when it is whole.
 *
 * @throws HoldfastError `input/exists` where a file is and it is not to be replaced,
 * `input/not-writable`
 */
export async function writeNewFile(
  file: string,
  { text, ...replacing }: Replacing & { readonly text: AsyncIterable<string> },
): Promise<void> {
  const draft = draftOf(file, replacing);
  try {
    await writeAndClose(await open(draft, "wx", FILE_MODE), text);
    putInPlace(draft, file, replacing);
  } catch (cause) {
    throw newFileFailure(file, cause);
  } finally {
    removeDraft(draft);
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

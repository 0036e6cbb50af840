/**
 * A path as the file system has it: one character per byte, so that any name is held without loss
 * and comparing keys as text sorts them by bytes.
 */
export type PathKey = string;

export function keyOfBytes(bytes: Buffer): PathKey {
  return bytes.toString("latin1");
}

export function keyOfText(text: string): PathKey {
  return Buffer.from(text, "utf8").toString("latin1");
}

export function bytesOfKey(key: PathKey): Buffer {
  return Buffer.from(key, "latin1");
}

const PLAIN = /^(?!")[\x20-\x7e]*$/;
const strictText = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The text of a path, or `null` if its bytes are not UTF-8. */
export function utf8OfKey(key: PathKey): string | null {
  try {
    return strictText.decode(bytesOfKey(key));
  } catch {
    return null; // the only failure of a strict decoder
  }
}

/**
 * A path as text, one for one: the path itself where it is UTF-8, else in git's quoted form. A name
 * that begins with a quotation mark is quoted too, since it could be taken for a quoted one.
 */
export function textOfKey(key: PathKey): string {
  if (PLAIN.test(key)) return key;
  const text = key.startsWith('"') ? null : utf8OfKey(key);
  return text ?? quotedKey(key);
}

/** git's quoted form of any path: in ASCII, on one line, between quotation marks. */
export function quotedKey(key: PathKey): string {
  const quoted = key.replace(/[^\x20-\x7e]|["\\]/g, (character) =>
    character === '"' || character === "\\"
      ? `\\${character}`
      : `\\${character.charCodeAt(0).toString(8).padStart(3, "0")}`,
  );
  return `"${quoted}"`;
}

/** Whether a path is the folder itself or lies below it. */
export function isWithin(key: PathKey, folder: PathKey): boolean {
  return folder === "" || key === folder || key.startsWith(`${folder}/`);
}

export function joinKeys(folder: PathKey, key: PathKey): PathKey {
  return folder === "" ? key : `${folder}/${key}`;
}

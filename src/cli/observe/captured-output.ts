import crypto from "node:crypto";

/** Bytes that are kept of each end. */
const KEPT_BYTES = 65_536;

export interface CapturedOutput {
  /** SHA-256 of all bytes, and how many there were. */
  readonly digest: string;
  readonly bytes: number;
  readonly head: string;
  /** Empty when `head` holds everything. */
  readonly tail: string;
}

/** Takes an output of any length in, in constant memory: both ends, the size and the digest. */
export class OutputCapture {
  readonly #hash = crypto.createHash("sha256");
  #bytes = 0;
  #head: Buffer[] = [];
  #tail: Buffer[] = [];
  #tailBytes = 0;

  add(chunk: Buffer): void {
    this.#hash.update(chunk);
    const room = KEPT_BYTES - this.#bytes;
    if (room > 0) this.#head.push(copyOf(chunk.subarray(0, room)));
    this.#bytes += chunk.length;
    this.#tail.push(copyOf(chunk.subarray(-KEPT_BYTES)));
    this.#tailBytes += Math.min(chunk.length, KEPT_BYTES);
    for (;;) {
      const first = this.#tail[0]?.length ?? 0;
      if (this.#tailBytes - first < KEPT_BYTES) return;
      this.#tail.shift();
      this.#tailBytes -= first;
    }
  }

  /** Ends the capture. */
  finish(): CapturedOutput {
    const isCut = this.#bytes > KEPT_BYTES;
    const head = Buffer.concat(this.#head);
    const tail = Buffer.concat(this.#tail).subarray(-KEPT_BYTES);
    return {
      digest: this.#hash.digest("hex"),
      bytes: this.#bytes,
      head: new TextDecoder().decode(head, { stream: isCut }),
      tail: isCut ? fromCharacterStart(tail).toString("utf8") : "",
    };
  }
}

/** A chunk may be part of a much larger block of memory, which it would keep alive. */
const copyOf = (chunk: Buffer) => Buffer.from(chunk);

/** Leaves out the rest of a character that was cut in two. @see RFC 3629 §3 */
function fromCharacterStart(bytes: Buffer): Buffer {
  const start = bytes.subarray(0, 4).findIndex((byte) => (byte & 0xc0) !== 0x80);
  return start < 0 ? bytes : bytes.subarray(start);
}

import crypto from "node:crypto";
import type { Ids } from "./ports.ts";

/** Ids that are made from one asking for random bytes: asking takes longer than making an id. */
const IDS_AT_ONCE = 256;

const ID_BYTES = 16;

/** Where ids and secrets come from on this system. */
export async function systemIds(): Promise<Ids> {
  const { v7 } = await import("uuid");
  const random = randomInStock();
  let last = { msecs: Number.NEGATIVE_INFINITY, seq: 0 };
  return {
    uuid: () => {
      const bytes = random();
      last = nextPosition(last, Date.now(), bytes);
      return v7({ ...last, random: bytes });
    },
    secret: () => crypto.randomBytes(32).toString("hex"),
  };
}

interface Position {
  /** Milliseconds since 1970. */
  readonly msecs: number;
  /** 31 bits that go up within one millisecond. */
  readonly seq: number;
}

const SEQ_MAX = 0x7fff_ffff;

/** Where a millisecond begins at most: half of the numbers are left to go up. */
const SEQ_START_MAX = 0x3fff_ffff;

/**
 * Keeps ids in the order in which they were made, also within one millisecond and when the clock
 * goes back.
 *
 * @see RFC 9562 §6.2, method 1
 */
function nextPosition(last: Position, now: number, random: Buffer): Position {
  if (now > last.msecs) {
    return { msecs: now, seq: random.readUInt32BE(6) & SEQ_START_MAX };
  }
  return last.seq < SEQ_MAX
    ? { msecs: last.msecs, seq: last.seq + 1 }
    : { msecs: last.msecs + 1, seq: 0 };
}

/** Gives random bytes for one id, each only once. */
function randomInStock(): () => Buffer {
  const stock = Buffer.alloc(IDS_AT_ONCE * ID_BYTES);
  let used = stock.length;
  return () => {
    if (used === stock.length) {
      crypto.randomFillSync(stock);
      used = 0;
    }
    used += ID_BYTES;
    return stock.subarray(used - ID_BYTES, used);
  };
}

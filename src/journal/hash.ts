import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import type { Sha256 } from "../ports.ts";

/** SHA-256 in plain JavaScript: works wherever the core does. Node plugs in its native one. */
export const portableSha256: Sha256 = (text) => bytesToHex(sha256(utf8ToBytes(text)));

/**
 * HMAC-SHA-256 of a text under a key of 64 hex characters, as 64 hex characters.
 *
 * @see RFC 2104
 */
export function keyedHash(key: string, text: string): string {
  return bytesToHex(hmac(sha256, hexToBytes(key), utf8ToBytes(text)));
}

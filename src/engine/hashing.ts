import type { CommandHashing } from "../evidence/index.ts";
import { keyedHash } from "../journal/index.ts";
import type { Sha256 } from "../ports.ts";
import { HASHED_COMMANDS_MAX } from "./limits.ts";

const KEY_ID_DOMAIN = "holdfast.command-key.v1\n";

/**
 * Hashes commands under a journal's own key, so that an export does not help to guess them. Verify
 * commands are asked for again and again, so what was hashed is kept.
 */
export function commandHashing(key: string, sha256: Sha256): CommandHashing {
  const known = new Map<string, string>();
  return {
    keyId: sha256(KEY_ID_DOMAIN + key),
    hashOf: (command) => {
      const hash = known.get(command) ?? keyedHash(key, command);
      if (known.size < HASHED_COMMANDS_MAX) known.set(command, hash);
      return hash;
    },
  };
}

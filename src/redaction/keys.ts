import { KEY_LENGTH_MAX, REDACTION_MARKER } from "./limits.ts";

/** Keys that can only stand before a secret; a bare value after them needs less to be taken for one. */
const OUTRIGHT_TERMS = [
  "password",
  "passwd",
  "pwd",
  "secret",
  "client_secret",
  "credential",
  "passphrase",
  "private_key",
  "signing_key",
];

const OTHER_TERMS = [
  "api_key",
  "token",
  "access_token",
  "refresh_token",
  "secret_access_key",
  "authorization",
];

/** The same words without a seam, and names in common use that end in none of the terms. */
const FURTHER_TERMS = [
  "apikey",
  "authtoken",
  "accesstoken",
  "refreshtoken",
  "clientsecret",
  "privatekey",
  "secretkey",
  "secret_key",
  "encryption_key",
  "account_key",
  "shared_access_key",
  "pgpassword",
  "db_pass",
  "smtp_pass",
];

/** Plurals count only as the whole key: `tokens` may hold secrets, `semanticTokens` does not. */
const PLURAL_TERMS = [
  "tokens",
  "api_keys",
  "passwords",
  "secrets",
  "credentials",
  "client_secrets",
  "access_tokens",
  "refresh_tokens",
  "session_tokens",
  "passphrases",
  "private_keys",
  "signing_keys",
  "authorizations",
];

/** Keys whose object values hold secrets under names of the user's choice, as in `{ secrets: { db: … } }`. */
const CONTAINERS: ReadonlySet<string> = new Set([
  "secret",
  "credential",
  ...PLURAL_TERMS.filter((term) => term !== "tokens" && term !== "authorizations"),
]);

const OUTRIGHT: ReadonlySet<string> = new Set(OUTRIGHT_TERMS);
const PLURALS: ReadonlySet<string> = new Set(PLURAL_TERMS);
const TERM_AT_END = new RegExp(
  `(?:^|_)(${[...OUTRIGHT_TERMS, ...OTHER_TERMS, ...FURTHER_TERMS].join("|")})$`,
);

/**
 * Finds the places where a sensitive key may stand; every sensitive key holds one of these.
 * Keys of several words may be written with blanks, as in `API key: …`.
 */
export const KEY_TRIGGER_SOURCE =
  "tokens?|secret(?:[ _.-]?access)?[ _.-]?key|secret|passw(?:or)?d|pwd|passphrase|credential|authorization" +
  "|(?:api|private|signing|encryption|account|access)[ _.-]?key|(?:db|smtp)_pass";

const KEY_TRIGGER = new RegExp(KEY_TRIGGER_SOURCE, "i");

/** What a sensitive key says about its value. */
export type Sensitivity = {
  /** The term that the key is or ends in, in snake case. */
  readonly term: string;
  /** True when the key can only stand before a secret, as `password` does and `token` does not. */
  readonly isOutright: boolean;
  readonly isPlural: boolean;
  /** True when the strings of an object below the key are secret whatever they are called. */
  readonly coversObjects: boolean;
};

/** Where one word of a key ends and the next begins: at a capital in camelCase, at all but letters and digits. */
const SEAM = /(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[^A-Za-z0-9]+/g;

/** A key in one spelling: its words in lower case, joined by `_`. */
export function normaliseKey(key: string): string {
  const name = key.replaceAll(REDACTION_MARKER, "x").replace(SEAM, "_").toLowerCase();
  const start = name.startsWith("_") ? 1 : 0;
  return name.slice(start, name.endsWith("_") ? -1 : undefined);
}

/** Says whether a key names a secret, and what kind; null for all other keys. */
export function sensitivityOf(key: string): Sensitivity | null {
  if (!KEY_TRIGGER.test(key)) return null;
  const name = normaliseKey(key.slice(-KEY_LENGTH_MAX));
  const isPlural = PLURALS.has(name);
  const term = isPlural ? name : TERM_AT_END.exec(name)?.[1];
  if (term === undefined) return null;
  return {
    term,
    isOutright: OUTRIGHT.has(term),
    isPlural,
    coversObjects: CONTAINERS.has(term),
  };
}

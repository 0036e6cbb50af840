/** Rises with every change of what is redacted; stands in each observation. */
export const REDACTOR_VERSION = 1;

/** Stands where a secret stood. */
export const REDACTION_MARKER = "[REDACTED_SECRET]";

/** Known secret values shorter than this are ignored: they would blank out ordinary words. */
export const LITERAL_LENGTH_MIN = 8;

/** A bare `password: value` shorter than this is taken for prose, as the key names a secret outright. */
export const BARE_OUTRIGHT_LENGTH_MIN = 8;

/** A bare `token: value` shorter than this is taken for prose, as the key has other meanings too. */
export const BARE_LENGTH_MIN = 12;

/** Placeholders in brackets or braces, such as `<your key>`, are at most this long. */
export const PLACEHOLDER_LENGTH_MAX = 80;

/** Only the last characters of a key say whether it is sensitive; a longer key is cut to these. */
export const KEY_LENGTH_MAX = 128;

/** Blanks that may stand between a key, its separator and its value. */
export const GAP_LENGTH_MAX = 64;

/** A user name in a URL, in characters. */
export const URL_USER_LENGTH_MAX = 256;

/** A password in a URL, in characters. */
export const URL_PASSWORD_LENGTH_MAX = 1024;

/** The text between the first and the last line of a private key, in characters. */
export const PRIVATE_KEY_LENGTH_MAX = 65_536;

/** The lines of a private key whose end was cut off. */
export const PRIVATE_KEY_LINES_MAX = 1_000;

/**
 * How often a text is redacted until nothing changes any more. Ordinary text needs two passes, the
 * second of which finds nothing. A text that is not settled after these is replaced as a whole.
 */
export const PASSES_MAX = 8;

/** Objects and arrays nested deeper than this are replaced by the marker and not read. */
export const DEPTH_MAX = 500;

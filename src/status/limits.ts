/** Tokens that a context may take, as estimated: the least, the default and the most. */
export const CONTEXT_TOKENS = { min: 100, default: 900, max: 4_000 } as const;
/** Files of one context: the default and the most. */
export const CONTEXT_FILES = { default: 6, max: 12 } as const;
/** Bytes of a file that may stand in a context. */
export const CONTEXT_FILE_BYTES_MAX = 131_072;
/** Characters that count as one token. */
export const CHARACTERS_PER_TOKEN = 4;
/** Lines of guidance, and hints that one of them names. */
export const GUIDANCE_LINES_MAX = 12;
export const GUIDANCE_HINTS_MAX = 2;

import { PRIVATE_KEY_LENGTH_MAX, URL_PASSWORD_LENGTH_MAX, URL_USER_LENGTH_MAX } from "./limits.ts";
import { revealsNothing } from "./placeholders.ts";
import type { Span } from "./spans.ts";

/** A secret that is known by its own shape, whatever stands around it. */
export type Detector = {
  readonly name: string;
  /** A cheap pattern, read without regard to case, that matches in every text where `pattern` can. */
  readonly trigger: string;
  /**
   * Global, and linear in the length of the text: no part can match the same run in two ways, and
   * what may be tried again from many starts is bounded. A group `kept` at the front is not secret.
   */
  readonly pattern: RegExp;
  /** A last look at what the pattern found; without it everything found is secret. */
  readonly isSecret?: (found: string) => boolean;
};

/**
 * No letter or digit before, so that `task-` does not hold `sk-`. In JSON text and in coloured
 * output the letter before may be the end of an escape: `\n`, or `m` after `ESC[31`.
 */
const START = String.raw`(?:(?<![A-Za-z0-9])|(?<=\\[nrt])|(?<=\[[0-9;]{1,8}m))`;

const PRIVATE_KEY_NAME = "[A-Za-z0-9 ]{0,80}PRIVATE KEY(?: BLOCK)?-----";
const PRIVATE_KEY_BODY = `(?:[^-]|-(?!----(?:BEGIN|END))){0,${PRIVATE_KEY_LENGTH_MAX}}`;
/** A line break, also as an escape in JSON text, and what indents the next line. */
const LINE_BREAK = String.raw`(?:\r?\n|(?:\\r)?\\n)[ \t]{0,16}`;
const KEY_TEXT = "[A-Za-z0-9+/=]";

const URL_USER = `[^\\s/?#:@"'\`<>\\\\]{0,${URL_USER_LENGTH_MAX}}`;
const URL_PASSWORD = `[^\\s/?#"'\`<>\\\\]{1,${URL_PASSWORD_LENGTH_MAX}}`;

/** Shapes of secrets. Vendor prefixes are the ones the vendors publish for secret scanners. */
export const DETECTORS: readonly Detector[] = [
  {
    name: "private key",
    trigger: "-----BEGIN",
    pattern: new RegExp(
      `-----BEGIN ${PRIVATE_KEY_NAME}${PRIVATE_KEY_BODY}-----END ${PRIVATE_KEY_NAME}`,
      "g",
    ),
  },
  {
    // Output is often cut, and half a key is still a secret. Needs a line of key text, so that a
    // mere mention of the first line stays.
    name: "private key without its end",
    trigger: "-----BEGIN",
    pattern: new RegExp(
      `-----BEGIN ${PRIVATE_KEY_NAME}(?:${LINE_BREAK}[A-Za-z-]{1,20}: [^\\r\\n\\\\]{0,120}){0,4}` +
        `(?:${LINE_BREAK}){1,2}${KEY_TEXT}{16,}(?:${LINE_BREAK}${KEY_TEXT}{16,})*` +
        `(?:${LINE_BREAK}${KEY_TEXT}{1,15}(?=[\\r\\n"'\`\\\\]|$))?`,
      "g",
    ),
  },
  {
    name: "AWS access key id",
    trigger: "A[KS]IA[A-Z0-9]{16}",
    pattern: new RegExp(`${START}A[KS]IA[A-Z0-9]{16}(?![A-Za-z0-9])`, "g"),
  },
  { name: "GitHub token", trigger: "gh[oprsu]_", pattern: /gh[oprsu]_[A-Za-z0-9]{20,}/g },
  {
    name: "GitHub fine-grained token",
    trigger: "github_pat_",
    pattern: /github_pat_[A-Za-z0-9_]{20,}/g,
  },
  { name: "GitLab token", trigger: "glpat-", pattern: /glpat-[A-Za-z0-9_-]{20,}/g },
  {
    name: "OpenAI or Anthropic key",
    trigger: `${START}sk-`,
    pattern: new RegExp(`${START}sk-[A-Za-z0-9_-]{20,}`, "g"),
    // A style sheet class such as sk-folding-cube-container has the same shape.
    isSecret: (found) => looksRandom(found, 16),
  },
  {
    name: "Stripe key",
    trigger: "[sr]k_(?:live|test)_",
    pattern: /[sr]k_(?:live|test)_[A-Za-z0-9]{16,}/g,
  },
  { name: "Slack token", trigger: "xox[abeprs]-", pattern: /xox[abeprs]-[A-Za-z0-9-]{10,}/g },
  { name: "npm token", trigger: "npm_[A-Z0-9]{30}", pattern: /npm_[A-Za-z0-9]{30,}/g },
  {
    name: "Google key",
    trigger: `${START}AIza`,
    pattern: new RegExp(`${START}AIza[A-Za-z0-9_-]{20,}`, "g"),
  },
  { name: "Hugging Face token", trigger: "hf_[A-Z0-9]{30}", pattern: /hf_[A-Za-z0-9]{30,}/g },
  {
    name: "JSON Web Token",
    trigger: `${START}eyJ`,
    pattern: new RegExp(
      `${START}eyJ[A-Za-z0-9_-]{5,}\\.[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]{8,}(?:\\.[A-Za-z0-9_-]+){0,2}`,
      "g",
    ),
  },
  {
    name: "password in a URL",
    trigger: "://",
    pattern: new RegExp(`(?<kept>://${URL_USER}:)${URL_PASSWORD}(?=@)`, "g"),
    isSecret: (found) => !revealsNothing(found),
  },
  {
    name: "bearer token",
    trigger: "bearer(?:[ \\t]|%20)",
    pattern: /(?<kept>bearer(?:[ \t]|%20){1,16})[A-Za-z0-9._~+/=-]{20,}/gi,
    isSecret: (found) => looksRandom(found, 20),
  },
  {
    name: "basic credentials",
    trigger: "basic(?:[ \\t]|%20)",
    pattern: /(?<kept>basic(?:[ \t]|%20){1,16})[A-Za-z0-9+/=]{12,}/gi,
    // "basic authentication" is prose.
    isSecret: (found) => looksRandom(found, 24),
  },
];

/** Adds where the detectors find a secret in the text. */
export function findKnownShapes(text: string, spans: Span[]): void {
  for (const { pattern, isSecret } of DETECTORS) {
    pattern.lastIndex = 0;
    for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
      const kept = match.groups?.kept?.length ?? 0;
      if (isSecret !== undefined && !isSecret(match[0].slice(kept))) continue;
      spans.push({ start: match.index + kept, end: pattern.lastIndex });
    }
  }
}

/** Tells random characters from words: a digit, padding, a capital inside a word, or one very long run. */
function looksRandom(text: string, unbrokenLengthMin: number): boolean {
  return /[0-9=]|[a-z][A-Z]/.test(text) || longestRun(text) >= unbrokenLengthMin;
}

function longestRun(text: string): number {
  return text.split(/[^A-Za-z0-9]+/).reduce((longest, run) => Math.max(longest, run.length), 0);
}

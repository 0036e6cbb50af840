import {
  PRIVATE_KEY_LENGTH_MAX,
  PRIVATE_KEY_LINES_MAX,
  URL_PASSWORD_LENGTH_MAX,
  URL_USER_LENGTH_MAX,
} from "./limits.ts";
import { revealsNothing } from "./placeholders.ts";
import type { Span } from "./spans.ts";

/** A secret that is known by its own shape, whatever stands around it. */
export type Detector = {
  readonly name: string;
  /** A cheap pattern, read without regard to case, that matches wherever `pattern` does. */
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

const ALPHANUMERIC = "[A-Za-z0-9]";
const BASE64URL = "[A-Za-z0-9_-]";

const URL_USER = `[^\\s/?#:@"'\`<>\\\\]{0,${URL_USER_LENGTH_MAX}}`;
const URL_PASSWORD = `[^\\s/?#"'\`<>\\\\]{1,${URL_PASSWORD_LENGTH_MAX}}`;
const SCHEME_GAP = "(?:[ \\t]|%20)";

/** Shapes of secrets. Vendor prefixes are the ones the vendors publish for secret scanners. */
export const DETECTORS: readonly Detector[] = [
  {
    name: "private key",
    trigger: "-----BEGIN",
    pattern: global(
      `-----BEGIN ${PRIVATE_KEY_NAME}${PRIVATE_KEY_BODY}-----END ${PRIVATE_KEY_NAME}`,
    ),
  },
  {
    // Output is often cut, and half a key is still a secret. Needs a line of key text, so that a
    // mere mention of the first line stays.
    name: "private key without its end",
    trigger: "-----BEGIN",
    pattern: global(
      `-----BEGIN ${PRIVATE_KEY_NAME}(?:${LINE_BREAK}[A-Za-z-]{1,20}: [^\\r\\n\\\\]{0,120}){0,4}` +
        `${LINE_BREAK}(?:${LINE_BREAK}${atLeast(16, KEY_TEXT)}|${atLeast(16, KEY_TEXT)})` +
        `(?:${LINE_BREAK}${atLeast(16, KEY_TEXT)}){0,${PRIVATE_KEY_LINES_MAX}}` +
        `(?:${LINE_BREAK}${KEY_TEXT}{1,15}(?=[\\r\\n"'\`\\\\]|$))?`,
    ),
  },
  {
    name: "AWS access key id",
    trigger: "A[KS]IA[A-Z0-9]{16}",
    pattern: global(`${START}A[KS]IA[A-Z0-9]{16}(?!${ALPHANUMERIC})`),
  },
  {
    name: "GitHub token",
    trigger: "gh[oprsu]_",
    pattern: global(`gh[oprsu]_${atLeast(20, ALPHANUMERIC)}`),
  },
  {
    name: "GitHub fine-grained token",
    trigger: "github_pat_",
    pattern: global(`github_pat_${atLeast(20, "[A-Za-z0-9_]")}`),
  },
  {
    name: "GitLab token",
    trigger: "glpat-",
    pattern: global(`glpat-${atLeast(20, BASE64URL)}`),
  },
  {
    name: "OpenAI or Anthropic key",
    trigger: `${START}sk-`,
    pattern: global(`${START}sk-${atLeast(20, BASE64URL)}`),
    // A style sheet class such as sk-folding-cube-container has the same shape.
    isSecret: (found) => looksRandom(found, 16),
  },
  {
    name: "Stripe key",
    trigger: "[sr]k_(?:live|test)_",
    pattern: global(`[sr]k_(?:live|test)_${atLeast(16, ALPHANUMERIC)}`),
  },
  {
    name: "Slack token",
    trigger: "xox[abeprs]-",
    pattern: global(`xox[abeprs]-${atLeast(10, "[A-Za-z0-9-]")}`),
  },
  {
    name: "npm token",
    trigger: "npm_[A-Z0-9]{30}",
    pattern: global(`npm_${atLeast(30, ALPHANUMERIC)}`),
  },
  {
    name: "Google key",
    trigger: `${START}AIza`,
    pattern: global(`${START}AIza${atLeast(20, BASE64URL)}`),
  },
  {
    name: "Hugging Face token",
    trigger: "hf_[A-Z0-9]{30}",
    pattern: global(`hf_${atLeast(30, ALPHANUMERIC)}`),
  },
  {
    // Three parts, or the five of an encrypted one.
    name: "JSON Web Token",
    trigger: `${START}eyJ`,
    pattern: global(
      `${START}eyJ${atLeast(5, BASE64URL)}\\.${atLeast(8, BASE64URL)}\\.${atLeast(8, BASE64URL)}` +
        `(?:\\.${BASE64URL}+){0,2}`,
    ),
  },
  {
    name: "password in a URL",
    trigger: "://",
    pattern: global(`(?<kept>://${URL_USER}:)${URL_PASSWORD}(?=@)`),
    isSecret: (found) => !revealsNothing(found),
  },
  {
    name: "bearer token",
    trigger: `bearer${SCHEME_GAP}`,
    pattern: global(
      `(?<kept>[Bb][Ee][Aa][Rr][Ee][Rr]${SCHEME_GAP}{1,16})${atLeast(20, "[A-Za-z0-9._~+/=-]")}`,
    ),
    isSecret: (found) => looksRandom(found, 20),
  },
  {
    name: "basic credentials",
    trigger: `basic${SCHEME_GAP}`,
    pattern: global(`(?<kept>[Bb][Aa][Ss][Ii][Cc]${SCHEME_GAP}{1,16})${atLeast(12, KEY_TEXT)}`),
    // "basic authentication" is prose.
    isSecret: (found) => looksRandom(found, 24),
  },
];

/** Adds where the detectors find a secret in the text, from `from` on. */
export function findKnownShapes(text: string, from: number, spans: Span[]): void {
  for (const { pattern, isSecret } of DETECTORS) {
    pattern.lastIndex = from;
    for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
      const kept = match.groups?.kept?.length ?? 0;
      if (isSecret !== undefined && !isSecret(match[0].slice(kept))) continue;
      spans.push({ start: match.index + kept, end: pattern.lastIndex });
    }
  }
}

function global(source: string): RegExp {
  return new RegExp(source, "g");
}

/** At least so many of a set of characters. V8 runs this without a stack; `X{n,}` overflows on millions. */
function atLeast(count: number, set: string): string {
  return `${set}{${count}}${set}*`;
}

/** Tells random characters from words: a digit, padding, a capital inside a word, or one very long run. */
function looksRandom(text: string, unbrokenLengthMin: number): boolean {
  return /[0-9=]|[a-z][A-Z]/.test(text) || longestRun(text) >= unbrokenLengthMin;
}

function longestRun(text: string): number {
  return text.split(/[^A-Za-z0-9]+/).reduce((longest, run) => Math.max(longest, run.length), 0);
}

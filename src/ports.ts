/** Where the time comes from. Order in the journal is `seq`; times are only shown. */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  now(): number;
}

/** Where ids and secrets come from. */
export interface Ids {
  /** A UUID of version 7 in lower-case text, 36 characters. @see RFC 9562 §5.7 */
  uuid(): string;
  /** 32 random bytes as 64 lower-case hex characters. */
  secret(): string;
}

/** SHA-256 of the UTF-8 bytes of a text, as 64 lower-case hex characters. */
export type Sha256 = (text: string) => string;

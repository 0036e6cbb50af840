import type { NewEvent } from "../../src/journal/index.ts";
import type { Durability } from "../../src/journal-sqlite/index.ts";

/** A store that somebody might choose in place of Holdfast's journal. */
export interface Peer {
  /** What an acknowledged append survives, in the words of Holdfast's own stores. */
  readonly survives: Durability | "nothing";
  readonly open: (folder: string) => Promise<OpenPeer>;
  /**
   * Opens the store anew and gives each event's body to `each`. Left out where the store keeps no
   * events.
   */
  readonly load?: (folder: string, each: (body: unknown) => void) => Promise<void>;
}

export interface OpenPeer {
  append(event: NewEvent): unknown;
  /** In one commit, where the store can. */
  appendMany?(events: readonly NewEvent[]): unknown;
  close(): unknown;
}

/**
 * A package that is there only once the peers are installed, and its types with it: hence the shape
 * of what is used of it.
 */
export function installed<Shape>(name: string): Promise<Shape> {
  return import(name) as Promise<Shape>;
}

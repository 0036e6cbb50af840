import type { Sha256 } from "../ports.ts";
import { type EventRow, type Head, headerHash } from "./event.ts";
import type { SnapshotRow } from "./store.ts";

const DOMAIN = "holdfast.snapshot.v1\n";

/** Over everything that a snapshot claims, so that none of it can be changed alone. */
function snapshotDigest(
  { seq, hash, foldVersion, text }: Omit<SnapshotRow, "digest">,
  sha256: Sha256,
): string {
  return sha256(`${DOMAIN}${seq}\n${hash}\n${foldVersion}\n${text}`);
}

/** A folded state as a store caches it. */
export function snapshotOf(
  head: Head,
  foldVersion: number,
  text: string,
  sha256: Sha256,
): SnapshotRow {
  const claims = { ...head, foldVersion, text };
  return { ...claims, digest: snapshotDigest(claims, sha256) };
}

/**
 * Whether a snapshot may stand for the events up to `row`: it is whole, this version's fold made
 * it, and the event that it names is the stored one, which still links to the one before.
 */
export function isTrustworthy(
  snapshot: SnapshotRow,
  foldVersion: number,
  row: EventRow | undefined,
  sha256: Sha256,
): boolean {
  return (
    snapshot.foldVersion === foldVersion &&
    snapshot.digest === snapshotDigest(snapshot, sha256) &&
    row?.header.seq === snapshot.seq &&
    row.hash === snapshot.hash &&
    headerHash(row.header, sha256) === row.hash &&
    (row.bodyText === null || sha256(row.bodyText) === row.header.bodyDigest)
  );
}

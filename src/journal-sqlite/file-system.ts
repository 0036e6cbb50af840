import { statfsSync } from "node:fs";
import process from "node:process";

/**
 * File systems, by the number that statfs(2) gives on Linux, on which a write-ahead log may not be
 * shared: its index is memory that all processes map, and these reach their files over a network,
 * out of another machine, or by a program of the user, so that two processes may see two memories.
 *
 * @see https://www.sqlite.org/wal.html, the list of disadvantages
 * @see linux/magic.h for all but the last six; those are in `src/stat.c` of GNU coreutils
 */
const NOT_SHAREABLE: ReadonlyMap<number, string> = new Map([
  [0x6969, "NFS"],
  [0x517b, "SMB"],
  [0xff534d42, "CIFS"],
  [0xfe534d42, "SMB2"],
  // sshfs and virtiofs are told as FUSE, too.
  [0x65735546, "FUSE"],
  [0x01021997, "9P"],
  [0x5346414f, "AFS"],
  [0x6b414653, "AFS"],
  [0x73757245, "Coda"],
  [0x00c36400, "Ceph"],
  [0x7461636f, "OCFS2"],
  [0x564c, "NCP"],
  [0x00c0ffee, "hostfs"],
  [0x786f4256, "vboxsf"],
  [0xbacbacbc, "vmhgfs"],
  [0x7c7c6673, "prl_fs"],
  [0x0bd00bd0, "Lustre"],
  [0x47504653, "GPFS"],
  [0x01161970, "GFS2"],
]);

/** The name of a kind of file system on which one process at a time may use a journal, else null. */
export function soleUserFileSystem(type: number): string | null {
  // Where a number has 32 bits, the larger ones come out as negative.
  return NOT_SHAREABLE.get(type >>> 0) ?? null;
}

/** The same for the file system that a folder is on; null also where the system does not tell. */
export function soleUserFileSystemOf(folder: string): string | null {
  // Other systems number their file systems in their own ways.
  if (process.platform !== "linux") return null;
  try {
    return soleUserFileSystem(statfsSync(folder).type);
  } catch {
    return null; // Whatever is wrong with the folder comes up when it is used.
  }
}

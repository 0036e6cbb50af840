import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import {
  digest,
  emptyFolder,
  git,
  link,
  makeExecutable,
  read,
  repositoryWith,
  write,
} from "./repositories.ts";

/** The digest as docs/working-tree.md says it is made, from nothing but the entries. */
function documented(entries: Readonly<Record<string, string>>): string {
  const paths = Object.keys(entries).sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  const fields = paths.map((path) => `${path}\0${entries[path]}\0`);
  return createHash("sha256")
    .update(`holdfast.tree.v1\n${fields.join("")}`)
    .digest("hex");
}

const EMPTY = "abb9f3e1974932246cc53702eaa757ae9e9c46e0957225cf22c6e34e0039932e";

test("the digest of nothing is the hash of the domain line", async () => {
  expect(documented({})).toBe(await digest(emptyFolder()));
  expect(documented({})).toBe(EMPTY);
});

test("the digest of a repository is made of index and working tree as documented", async () => {
  const folder = repositoryWith({
    "b/a.txt": "1\n",
    "b.txt": "2\n",
    "a.sh": "3\n",
    "ü.txt": "4\n",
  });
  write(folder, { "b-c.txt": "5\n", "b/a.txt": "changed\n" });
  makeExecutable(folder, "a.sh");
  link(folder, "link", "b.txt");
  const blob = (name: string) => git(folder, "hash-object", name);
  const linkText = createHash("sha1").update("blob 5\0b.txt").digest("hex");

  expect(await digest(folder)).toBe(
    documented({
      "a.sh": `100755 blob ${blob("a.sh")}`,
      "b-c.txt": `100644 blob ${blob("b-c.txt")}`,
      "b.txt": `100644 blob ${blob("b.txt")}`,
      "b/a.txt": `100644 blob ${blob("b/a.txt")}`,
      link: `120000 link ${linkText}`,
      "ü.txt": `100644 blob ${blob("ü.txt")}`,
    }),
  );
});

test("the list against the empty tree is what the digest is made of", async () => {
  const folder = repositoryWith({ "b/a.txt": "1\n", "b.txt": "2\n", gone: "" });
  write(folder, { "b!": "1", "b.txt": "3\n" });
  git(folder, "rm", "--quiet", "gone");
  const { dirty, digest: found } = await read(folder, { base: null });
  expect(found).toBe(documented(dirty as Record<string, string>));
});

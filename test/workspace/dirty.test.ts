import { expect, test } from "vitest";
import { changedPaths } from "../../src/evidence/index.ts";
import {
  commitAll,
  emptyRepository,
  git,
  makeExecutable,
  read,
  remove,
  repositoryWith,
  write,
} from "./repositories.ts";

const FILES = { "src/a.txt": "1\n", "src/b.txt": "2\n", "src/c.txt": "3\n" };

test("a clean tree differs in nothing from the commit that is checked out", async () => {
  const folder = repositoryWith(FILES);
  const head = git(folder, "rev-parse", "HEAD");
  expect(await read(folder)).toMatchObject({
    commit: head,
    base: head,
    branch: "main",
    operation: null,
    dirty: {},
    dirtyTruncated: false,
  });
});

test("edited, staged, new, deleted and executable files are listed with what is there", async () => {
  const folder = repositoryWith(FILES);
  write(folder, { "src/a.txt": "changed\n", "new.txt": "new\n", "staged.txt": "s\n" });
  git(folder, "add", "staged.txt");
  remove(folder, "src/b.txt");
  makeExecutable(folder, "src/c.txt");
  const blob = (name: string) => git(folder, "hash-object", name);

  expect((await read(folder)).dirty).toEqual({
    "new.txt": `100644 blob ${blob("new.txt")}`,
    "src/a.txt": `100644 blob ${blob("src/a.txt")}`,
    "src/b.txt": null,
    "src/c.txt": `100755 blob ${blob("src/c.txt")}`,
    "staged.txt": `100644 blob ${blob("staged.txt")}`,
  });
});

test("a file that is taken out of the index and left as it was is not listed", async () => {
  const folder = repositoryWith(FILES);
  git(folder, "rm", "--quiet", "--cached", "src/a.txt");
  expect((await read(folder)).dirty).toEqual({});
});

test("a staged rename is a deletion and a new file, whatever git is told about renames", async () => {
  const folder = repositoryWith({ "src/long.txt": "line\n".repeat(50) });
  git(folder, "config", "status.renames", "copies");
  git(folder, "mv", "src/long.txt", "src/moved.txt");
  const blob = git(folder, "hash-object", "src/moved.txt");
  expect((await read(folder)).dirty).toEqual({
    "src/long.txt": null,
    "src/moved.txt": `100644 blob ${blob}`,
  });
});

test("a file that was staged and put back in the working tree is not listed", async () => {
  const folder = repositoryWith(FILES);
  write(folder, { "src/a.txt": "2\n" });
  git(folder, "add", "--all");
  write(folder, { "src/a.txt": "1\n" });
  expect((await read(folder)).dirty).toEqual({});
});

test("an empty file that is announced to the index is listed against any base", async () => {
  const folder = repositoryWith(FILES);
  const base = git(folder, "rev-parse", "HEAD");
  git(folder, "commit", "--quiet", "--allow-empty", "--message", "next");
  write(folder, { "empty.txt": "" });
  git(folder, "add", "--intent-to-add", "empty.txt");
  expect(Object.keys((await read(folder)).dirty)).toEqual(["empty.txt"]);
  expect(Object.keys((await read(folder, { base })).dirty)).toEqual(["empty.txt"]);
});

test("later commits don't hide what differs from an earlier base", async () => {
  const folder = repositoryWith(FILES);
  const base = git(folder, "rev-parse", "HEAD");
  write(folder, { "src/a.txt": "changed\n", "new.txt": "new\n" });
  remove(folder, "src/b.txt");
  const before = await read(folder, { base });
  commitAll(folder);
  const after = await read(folder, { base });
  write(folder, { "src/a.txt": "1\n" });
  const restored = await read(folder, { base });

  expect(Object.keys(before.dirty)).toEqual(["new.txt", "src/a.txt", "src/b.txt"]);
  expect(after).toMatchObject({ base, dirty: before.dirty });
  expect(Object.keys(restored.dirty)).toEqual(["new.txt", "src/b.txt"]);
});

test("a rebase onto other content names what it brought, and one onto equal content nothing", async () => {
  const folder = repositoryWith(FILES);
  git(folder, "switch", "--quiet", "--create", "work");
  write(folder, { "src/a.txt": "work\n" });
  const base = commitAll(folder);
  const before = await read(folder);
  git(folder, "switch", "--quiet", "main");
  git(folder, "commit", "--quiet", "--allow-empty", "--message", "nothing");
  git(folder, "switch", "--quiet", "work");
  git(folder, "rebase", "--quiet", "main");
  const equal = await read(folder, { base });
  git(folder, "switch", "--quiet", "main");
  write(folder, { "src/z.txt": "z\n" });
  commitAll(folder);
  git(folder, "switch", "--quiet", "work");
  git(folder, "rebase", "--quiet", "main");
  const other = await read(folder, { base });

  expect(equal).toMatchObject({ digest: before.digest, dirty: {} });
  expect(equal.commit).not.toBe(before.commit);
  expect(other.digest).not.toBe(before.digest);
  expect(Object.keys(other.dirty)).toEqual(["src/z.txt"]);
});

test("without a commit everything is listed, and the same base still does so after commits", async () => {
  const folder = emptyRepository();
  write(folder, { "staged.txt": "1\n", "new.txt": "2\n" });
  git(folder, "add", "staged.txt");
  const unborn = await read(folder);
  commitAll(folder);
  const committed = await read(folder, { base: unborn.base });

  expect(unborn).toMatchObject({ commit: null, branch: "main", base: null });
  expect(Object.keys(unborn.dirty)).toEqual(["new.txt", "staged.txt"]);
  expect(committed).toMatchObject({ base: null, dirty: unborn.dirty, digest: unborn.digest });
});

test.each([
  ["that is not there", "0".repeat(40)],
  ["that is no commit id", "main"],
  ["that looks like an option", "--output=file"],
])("a base %s is said to be missing, and its list counts as truncated", async (_, base) => {
  const folder = repositoryWith(FILES);
  const reading = await read(folder, { base });
  expect(reading).toMatchObject({
    dirty: {},
    dirtyTruncated: true,
    unavailable: [{ path: null, reason: "base-missing" }],
  });
  expect(reading.digest).not.toBeNull();
});

test("more paths than are listed count as truncated, and the digest covers all of them", async () => {
  const folder = repositoryWith(FILES);
  const many = Object.fromEntries(
    Array.from({ length: 5_001 }, (_, at) => [`many/${String(at).padStart(5, "0")}`, ""]),
  );
  write(folder, many);
  const before = await read(folder);
  write(folder, { "many/05000": "changed" });
  const after = await read(folder);
  expect(Object.keys(before.dirty)).toHaveLength(5_000);
  expect(before.dirtyTruncated).toBe(true);
  expect(after.digest).not.toBe(before.digest);
}, 30_000);

test("changes since a baseline tell files that were dirty before from those that changed since", async () => {
  const folder = repositoryWith(FILES);
  const base = git(folder, "rev-parse", "HEAD");
  write(folder, { "src/a.txt": "dirty before\n", "src/b.txt": "dirty before\n" });
  const baseline = await read(folder, { base });
  write(folder, { "src/b.txt": "changed\n", "src/c.txt": "edited\n", "new.txt": "new\n" });
  write(folder, { "src/c.txt": "3\n" });
  commitAll(folder);
  const now = await read(folder, { base });

  expect(changedPaths(baseline.dirty, now.dirty)).toEqual(["new.txt", "src/b.txt"]);
});

test("a path with the name of a part of JavaScript is a path like any other", async () => {
  const folder = repositoryWith(FILES);
  const before = await read(folder);
  write(folder, { __proto__x: "", constructor: "1", toString: "2", "d/__proto__": "3" });
  write(folder, Object.fromEntries([["__proto__", "4"]]));
  const after = await read(folder);
  const paths = ["__proto__", "__proto__x", "constructor", "d/__proto__", "toString"];
  expect(Object.keys(after.dirty)).toEqual(paths);
  expect(changedPaths(before.dirty, after.dirty)).toEqual(paths);
});

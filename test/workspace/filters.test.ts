import { createHash } from "node:crypto";
import { existsSync, utimesSync } from "node:fs";
import { expect, test } from "vitest";
import {
  commitAll,
  digest,
  git,
  movesDigest,
  read,
  repositoryWith,
  write,
} from "./repositories.ts";

/** A filter that stores another text than it checks out, and leaves a mark when it is run. */
function withFilter(): { folder: string; mark: string } {
  const folder = repositoryWith({ ".gitattributes": "*.big filter=store\n", "a.txt": "1\n" });
  const mark = `${folder}/../filter-was-run`;
  git(folder, "config", "filter.store.clean", `touch '${mark}'; sed s/^/stored-/`);
  git(folder, "config", "filter.store.smudge", `touch '${mark}'; sed s/^stored-//`);
  git(folder, "config", "filter.store.required", "true");
  return { folder, mark };
}

test("a filtered file counts by its bytes, and no filter is run", async () => {
  const { folder, mark } = withFilter();
  write(folder, { "asset.big": "content\n" });
  const before = await read(folder);
  expect(existsSync(mark)).toBe(false);
  commitAll(folder);
  expect(existsSync(mark)).toBe(true);
  git(folder, "config", "filter.store.clean", `touch '${mark}-again'; sed s/^/stored-/`);
  utimesSync(`${folder}/asset.big`, 1, 1);
  const after = await read(folder);

  const id = createHash("sha256").update("content\n").digest("hex");
  expect(before.dirty).toEqual({ "asset.big": `100644 raw ${id}` });
  expect(after.digest).toBe(before.digest);
  expect(existsSync(`${mark}-again`)).toBe(false);
  expect(await movesDigest(folder, () => write(folder, { "asset.big": "CONTENT\n" }))).toBe(true);
});

test("a filter that is not configured is none", async () => {
  const folder = repositoryWith({ ".gitattributes": "*.big filter=lfs\n", "asset.big": "1\n" });
  write(folder, { "asset.big": "2\n" });
  const blob = git(folder, "hash-object", "asset.big");
  expect((await read(folder)).dirty).toEqual({ "asset.big": `100644 blob ${blob}` });
});

test("a deleted filtered file counts as deleted", async () => {
  const { folder } = withFilter();
  write(folder, { "asset.big": "content\n" });
  commitAll(folder);
  const before = await digest(folder);
  git(folder, "rm", "--quiet", "asset.big");
  const after = await read(folder);
  expect(after.digest).not.toBe(before);
  expect(after.dirty).toEqual({ "asset.big": null });
});

test("a filter whose name can't be searched for makes the tree unavailable and is not run", async () => {
  const { folder, mark } = withFilter();
  git(folder, "config", "filter.of a kind.clean", `touch '${mark}'`);
  write(folder, { ".gitattributes": '*.big filter="of a kind"\n', "asset.big": "1\n" });
  expect(await read(folder)).toMatchObject({
    digest: null,
    unavailable: [{ path: null, reason: "filter-unsupported" }],
  });
  expect(existsSync(mark)).toBe(false);
});

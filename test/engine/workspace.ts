import type { TaskDraft } from "../../src/contract/index.ts";
import { portableSha256 } from "../../src/journal/index.ts";
import type { ReadOptions, TreeReading, Workspace } from "../../src/workspace/port.ts";

const COMMIT = "c0".repeat(20);
const entryOf = (content: string) => `100644 blob ${portableSha256(content).slice(0, 40)}`;

/** A working tree without a disk: one commit, and files that can be changed. */
export class MapWorkspace implements Workspace {
  readonly #committed: ReadonlyMap<string, string>;
  readonly #files: Map<string, string>;
  /** Runs at the beginning of each reading, for what others do meanwhile. */
  onRead: () => Promise<void> = async () => {};
  readings = 0;

  constructor(files: Readonly<Record<string, string>>) {
    this.#files = new Map(Object.entries(files));
    this.#committed = new Map(this.#files);
  }

  write(path: string, content: string): void {
    this.#files.set(path, content);
  }

  get digest(): string {
    return portableSha256(JSON.stringify([...this.#files].toSorted()));
  }

  async read(_options?: ReadOptions): Promise<TreeReading> {
    this.readings++;
    await this.onRead();
    const changed = [...this.#files].filter(([path, text]) => this.#committed.get(path) !== text);
    return {
      place: "main",
      folder: "",
      method: "git",
      digest: this.digest,
      unavailable: [],
      commit: COMMIT,
      branch: "main",
      operation: null,
      dirty: Object.fromEntries(changed.map(([path, text]) => [path, entryOf(text)])),
      base: COMMIT,
      dirtyTruncated: false,
    };
  }

  async readText(path: string): Promise<string | null> {
    return this.#files.get(path) ?? null;
  }

  async fileDigest(path: string): Promise<string | null> {
    const content = this.#files.get(path);
    return content === undefined ? null : `sha256:${portableSha256(content)}`;
  }
}

export const VERIFIER = "npm test";

export const DRAFT: TaskDraft = {
  summary: "Reject quantities below one",
  taskId: "cart-quantities",
  acceptanceCriteria: ["addItem(0) throws RangeError", "existing tests still pass"],
  scope: ["src/**"],
  verifyCommands: [VERIFIER],
};

import process from "node:process";
import util from "node:util";
import { HoldfastError } from "../errors.ts";
import type { Failure } from "./failure.ts";
import { plain } from "./text.ts";
import type { FailureAnswer } from "./view-schemas.ts";

export type Style = "bold" | "dim" | "green" | "red" | "yellow";

/** Colours a text where the stream it goes to is a terminal that wants colours. */
export type Paint = (style: Style, text: string) => string;

/** What a command answers: as data, and in words for people. */
export interface Reply {
  /** Defaults to 0. */
  readonly exitCode?: number;
  readonly json: unknown;
  readonly text: (paint: Paint) => string;
}

const painter =
  (stream: NodeJS.WriteStream): Paint =>
  (style, text) =>
    util.styleText(style, text, { stream });

/** The two streams, and whether answers go out as data or in words. */
export class Output {
  readonly json: boolean;
  #closed = false;
  #failure: Error | null = null;

  constructor(json: boolean) {
    this.json = json;
    process.stdout.on("error", (error) => this.#close(error));
    process.stderr.on("error", () => {}); // There is nobody left who could be told.
  }

  /** Whether nobody reads the answer any more. */
  get closed(): boolean {
    return this.#closed;
  }

  /** Characters in a line of the terminal; null where the answer goes elsewhere. */
  get columns(): number | null {
    return process.stdout.isTTY ? process.stdout.columns : null;
  }

  async reply(reply: Reply): Promise<void> {
    const text = this.json ? JSON.stringify(reply.json) : reply.text(painter(process.stdout));
    await this.write(text === "" ? "" : `${text}\n`);
  }

  /**
   * Writes to stdout and resolves once that may go on.
   *
   * @throws HoldfastError `input/not-writable` when stdout is a file that takes no more
   */
  async write(text: string): Promise<void> {
    if (text !== "" && !this.#closed) {
      await new Promise<void>((resolve) => {
        process.stdout.write(text, (error) => {
          if (error) this.#close(error);
          resolve();
        });
      });
    }
    if (this.#failure === null) return;
    throw new HoldfastError(
      "input/not-writable",
      `The answer can't be written to stdout: ${this.#failure.message}.`,
      "Give it a place with room, and repeat the call.",
    );
  }

  /** A message for people; never on stdout. */
  note(text: string): void {
    process.stderr.write(`${plain(text)}\n`);
  }

  fail({ code, message, remedy, stack }: Failure): void {
    const paint = painter(process.stderr);
    process.stderr.write(
      `${paint("red", `error ${code}:`)} ${plain(message)}\n${plain(remedy)}\n${stack === null ? "" : `${plain(stack)}\n`}`,
    );
    if (this.json && !this.#closed) {
      const answer: FailureAnswer = { error: { code, message, remedy } };
      process.stdout.write(`${JSON.stringify(answer)}\n`);
    }
  }

  /** A reader that has seen enough (`| head`) is no failure. */
  #close(error: NodeJS.ErrnoException): void {
    this.#closed = true;
    if (error.code !== "EPIPE") this.#failure = error;
  }
}

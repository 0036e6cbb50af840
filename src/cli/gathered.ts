/** Characters that are gathered before they are written. */
const WRITE_AT = 65_536;

/** Joins short texts into long ones, so that not each of them is a write of its own. */
export async function* gathered(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let waiting = "";
  for await (const text of texts) {
    waiting += text;
    if (waiting.length < WRITE_AT) continue;
    yield waiting;
    waiting = "";
  }
  yield waiting;
}

import { appendAll, openJournal, openUnread } from "../world.ts";
import type { Peer } from "./peer.ts";

/** The journal itself, so that it stands in the same table. */
export const peer: Peer = {
  survives: "full",
  async open(folder) {
    const journal = await openJournal(folder, "full");
    return {
      append: (event) => appendAll(journal, [event]),
      appendMany: (events) => appendAll(journal, events),
      close: () => journal.close(),
    };
  },
  async load(folder, each) {
    const journal = await openUnread(folder, "full");
    await journal.catchUp(({ body }) => each(body));
    journal.assertSound();
    await journal.close();
  },
};

import { describeStore } from "../journal/store-suite.ts";
import { openStoreIn, temporaryFolder } from "./makers.ts";

describeStore(async () => {
  const folder = temporaryFolder();
  return { one: await openStoreIn(folder), other: await openStoreIn(folder) };
});

import { expect, test } from "vitest";
import { expectTypedWhenFull } from "./disk-full.ts";
import { OPERATIONS, type OperationName } from "./operations.ts";
import { whyNoOwnDisks } from "./own-disks.ts";

test.for(Object.keys(OPERATIONS) as OperationName[])(
  "on a full disk this is done or fails with a typed error, and succeeds once there is room: %s",
  async (operation, { skip }) => {
    const why = whyNoOwnDisks();
    if (why !== null) skip(why);
    const full = await expectTypedWhenFull(operation);
    expect(full).toContain("not done journal/storage-full");
  },
);

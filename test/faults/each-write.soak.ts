import { expect, test } from "vitest";
import { killAtEachWrite } from "./each-write.ts";
import { OPERATIONS, type OperationName } from "./operations.ts";

test.each(Object.keys(OPERATIONS) as OperationName[])(
  "a process that is killed before or after any of its writes has done this or not: %s",
  async (operation) => {
    expect((await killAtEachWrite(operation)).length).toBeGreaterThan(0);
  },
);

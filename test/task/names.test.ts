import { afterEach, expect, test } from "vitest";
import { ADA, aDraft, aReading, BOB, PASSED, VERIFIER } from "./makers.ts";
import { Project, started } from "./project.ts";

/** Names that every object answers to without having been given them. */
const NAMES = ["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf"] as const;

afterEach(() => {
  expect(Object.keys(Object.prototype)).toEqual([]);
  expect({}).not.toHaveProperty("digest");
});

test.each(NAMES)("a call with the id %s is a call like any other", (call) => {
  const project = started(aDraft());
  project.end("node check.js", PASSED, { call });
  const seq = project.request("rm -rf build", { call });
  expect(project.resume().uncertain).toEqual([{ seq, tool: "bash", input: "rm -rf build" }]);
  project.end("rm -rf build", PASSED, { call });
  expect(project.resume().uncertain).toEqual([]);
});

test.each(NAMES)("a working tree with the name %s is a place like any other", (place) => {
  const project = started(aDraft());
  project.link(place);
  project.write("src/cart.js", "v2");
  project.write("src/cart.js", "v2", place);
  // Nothing was seen there yet, so nothing there is stale.
  const tree = { ...project.tree(), place };
  expect(project.gate({ facts: { tree } }).decision).toBe("pending");
  const seq = project.run(VERIFIER, PASSED, { session: BOB, place });
  expect(project.standing()).toMatchObject({ currency: "current", seq, elsewhere: place });
  project.write("src/cart.js", "v3", place);
  project.run("ls", PASSED, { session: BOB, place });
  project.write("src/cart.js", "v2", place);
  expect(project.standing().currency).toBe("missing");
  expect(Object.keys(project.state.evidence.trees)).toEqual(["main", place]);
});

test.each(NAMES)("a run that began at the place %s is proved there", (place) => {
  const project = new Project();
  project.link(place);
  project.start(aDraft(), { place });
  project.write("src/cart.js", "v2", place);
  expect(project.gate({ place }).decision).toBe("pending");
  project.run(VERIFIER, PASSED, { place });
  expect(project.gate({ place }).decision).toBe("pass");
});

test.each(NAMES)(
  "a file with the name %s is evidence if it is there, and none if it is not",
  (path) => {
    const project = started(aReading());
    const bind = () => project.bind("criterion-01", "read-evidence", path).refusal?.code ?? null;
    expect(bind()).toBe("evidence/file-unreadable");
    project.write(path, "the reason");
    project.conclude("partial", { reason: "again, with the file" });
    project.start(aReading());
    expect(bind()).toBeNull();
    expect(project.gate().decision).toBe("pass");
    project.remove(path);
    expect(project.gate().decision).not.toBe("pass");
  },
);

test.each(NAMES)("a command with the text %s is a command like any other", (command) => {
  const project = started(aDraft({ verifyCommands: [command] }));
  expect(project.standing().currency).toBe("missing");
  project.run(command);
  expect(project.standing().currency).toBe("current");
});

test.each(NAMES)("a session with the name %s owns nothing that it was not given", (session) => {
  const project = started(aDraft());
  expect(project.resume(session).decision).toBe("blocked");
  expect(project.refusal({ type: "recordGate" }, { session })).toBe("contract/not-owner");
  expect(project.own(ADA).task.owner).toBe(ADA);
});

test("a criterion and a task are found by their own names only", () => {
  const project = started(aReading());
  for (const name of NAMES) {
    const { refusal } = project.bind(name, "read-evidence", "README.md");
    expect(refusal?.code).toBe("evidence/criterion-unknown");
  }
  expect(project.own().task.contract.taskId).not.toBe("constructor");
  project.conclude("partial", { reason: "enough" });
  project.start(aReading({ taskId: "constructor" }));
  expect(project.own().task.contract).toMatchObject({ taskId: "constructor", attempt: 1 });
});

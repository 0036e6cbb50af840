import type { Command } from "commander";

/** Commands that stand in one file, by the words that call them. */
interface Family {
  readonly commands: readonly string[];
  /** Loads the file and gives what adds its commands to the program. */
  readonly load: () => Promise<(program: Command) => void>;
}

/**
 * All commands, in the order of the help. Only the family that is called is loaded: loading all of
 * them takes longer than most commands take.
 */
export const FAMILIES: readonly Family[] = [
  { commands: ["init"], load: async () => (await import("./commands/init.ts")).registerInit },
  { commands: ["task"], load: async () => (await import("./commands/task.ts")).registerTask },
  {
    commands: ["import-contract"],
    load: async () => (await import("./commands/import-contract.ts")).registerImportContract,
  },
  { commands: ["plan"], load: async () => (await import("./commands/plan.ts")).registerPlan },
  { commands: ["phase"], load: async () => (await import("./commands/phase.ts")).registerPhase },
  { commands: ["exec"], load: async () => (await import("./commands/exec.ts")).registerExec },
  { commands: ["verify"], load: async () => (await import("./commands/verify.ts")).registerVerify },
  {
    commands: ["evidence"],
    load: async () => (await import("./commands/evidence.ts")).registerEvidence,
  },
  {
    commands: ["criteria", "criterion"],
    load: async () => (await import("./commands/criterion.ts")).registerCriterion,
  },
  {
    commands: ["context"],
    load: async () => (await import("./commands/context.ts")).registerContext,
  },
  {
    commands: ["gate", "conclude"],
    load: async () => (await import("./commands/gate.ts")).registerGate,
  },
  {
    commands: ["resume", "status"],
    load: async () => (await import("./commands/resume.ts")).registerResume,
  },
  {
    commands: ["log", "show"],
    load: async () => (await import("./commands/log.ts")).registerLog,
  },
  {
    commands: ["takeover", "settle"],
    load: async () => (await import("./commands/ownership.ts")).registerOwnership,
  },
  {
    commands: ["journal"],
    load: async () => (await import("./commands/journal.ts")).registerJournal,
  },
  { commands: ["doctor"], load: async () => (await import("./commands/doctor.ts")).registerDoctor },
  { commands: ["demo"], load: async () => (await import("./commands/demo.ts")).registerDemo },
];

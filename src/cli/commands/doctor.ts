import type { Command } from "commander";
import { addCommand, type Call, carriedOutBy } from "../command.ts";
import { EXIT } from "../failure.ts";
import type { Reply } from "../output.ts";
import type { Examination } from "../view-schemas.ts";
import { doctorText } from "../views/doctor.ts";

export function registerDoctor(program: Command): void {
  const command = addCommand(program, {
    usage: "doctor",
    does: "check Node, SQLite, git, the state folder and the journal",
    example: "doctor --fix",
  }).option("--fix", "take rights to the state folder away from others");
  carriedOutBy(command, doctor);
}

async function doctor(call: Call<{ fix?: boolean }>): Promise<Reply | null> {
  const { examine } = await import("../examination.ts");
  const checks = await examine(call, call.options.fix === true);
  return {
    exitCode: checks.every(({ ok }) => ok) ? EXIT.yes : EXIT.no,
    json: { checks } satisfies Examination,
    text: (paint) => doctorText(checks, paint),
  };
}

import { type Command, Option } from "commander";
import { PROOF_KINDS } from "../../criteria/index.ts";
import { isSettled } from "../../evidence/index.ts";
import type { BindEvidence } from "../../task/index.ts";
import { accepted } from "../accepted.ts";
import { addCommand, addGroup, type Call, carriedOutBy } from "../command.ts";
import type { Reply } from "../output.ts";
import { inProject } from "../project.ts";
import type { BoundEvidence } from "../view-schemas.ts";

export function registerEvidence(program: Command): void {
  const evidence = addGroup(program, "evidence", "bind evidence to criteria");
  const command = addCommand(evidence, {
    usage: "add",
    does: "name what shows that a criterion holds",
    example: "evidence add --criterion criterion-01 --kind behavioral-check --ref seq:12",
    appends: true,
  })
    .requiredOption("--criterion <id>", "the criterion, as criterion-01")
    .addOption(
      new Option("--kind <kind>", "what it shows").choices(PROOF_KINDS).makeOptionMandatory(),
    )
    .requiredOption(
      "--ref <ref>",
      "seq:N (an observed command), command:TEXT (its latest run), path:P (a file)",
    );
  carriedOutBy(command, addEvidence);
}

interface EvidenceOptions {
  readonly criterion: string;
  readonly kind: BindEvidence["kind"];
  readonly ref: string;
}

function addEvidence(call: Call<EvidenceOptions>): Promise<Reply | null> {
  const { criterion, kind, ref } = call.options;
  return inProject(call, { need: "there-or-empty" }, async ({ engine }) => {
    const answer = await accepted(
      engine,
      { type: "bindEvidence", criterion, kind, reference: ref },
      call.asking,
    );
    const { criteria } = await engine.status(call.asking);
    const standing = criteria.find(({ id }) => id === criterion);
    const status = standing?.status ?? "pending";
    const lacking = standing?.missing.join(" and ") || "a person's word";
    const still = isSettled({ status }) ? status : `still ${status}: it lacks ${lacking}`;
    return {
      json: { criterion, status, head: answer.head } satisfies BoundEvidence,
      text: (paint) =>
        status === "satisfied"
          ? `${paint("green", "✓")} ${criterion} is satisfied (event ${answer.head.seq}).`
          : `Bound to ${criterion} (event ${answer.head.seq}), which is ${still}.`,
    };
  });
}

import { omitUndefined } from "@bron/protocol";
import type { Command } from "commander";
import type { Verdict } from "../verdicts.ts";
import { examples, idHelp, leaf } from "./leaf.ts";
import { several, verbose, wordsFromStdin } from "./option-values.ts";
import type { Runner } from "./runner.ts";

const oneHelp = `${idHelp}, or the ID of a run that has one`;
const groupHelp = `${oneHelp}, or the ID of a group`;
const loadApprovals = () => import("../commands/approvals.ts");
const loadDecideApproval = () => import("../commands/decide-approval.ts");
const loadUndoApproval = () => import("../commands/undo-approval.ts");
const loadSnoozeApproval = () => import("../commands/snooze-approval.ts");
const loadDecideMany = () => import("../commands/decide-many.ts");

export function addApprovalCommands(program: Command, runner: Runner): void {
  const { run } = runner;
  const approvals = program
    .command("approvals")
    .description("List and decide approvals, one by one or as a group")
    .addHelpText(
      "after",
      examples(
        "bron approvals list\n  bron approvals show 1b2c3d4e\n  bron approvals approve 1b2c3d4e\n  bron approvals approve 9f8e7d6c:2:mail",
      ),
    );
  leaf(approvals.command("list"), "List pending approvals", "bron approvals list")
    .option("--all", "Include decided and expired approvals")
    .action((options) =>
      run(loadApprovals, (commands, context) => commands.listApprovals(context, options)),
    );
  leaf(
    approvals.command("show"),
    "Show an approval or a group in full",
    "bron approvals show 1b2c3d4e",
  )
    .argument("<id>", groupHelp)
    .option(...verbose)
    .action((id, options) =>
      run(loadApprovals, (commands, context) => commands.showApproval(context, id, options)),
    );
  addApproveAndDeny(approvals, runner);
  leaf(
    approvals.command("undo"),
    "Undo an approval or a denial before the run acts on it (see BRON_UNDO_SECONDS)",
    "bron approvals undo 1b2c3d4e",
  )
    .argument("<id>", oneHelp)
    .action((id, options) =>
      run(loadUndoApproval, (commands, context) => commands.undoApproval(context, id, options)),
    );
  leaf(
    approvals.command("snooze"),
    "Hide an approval until later; it still expires",
    "bron approvals snooze 1b2c3d4e --until tomorrow",
  )
    .argument("<id>", idHelp)
    .option("--until <when>", "1h, evening, tomorrow, now or a time with its offset", "1h")
    .action((id, options) =>
      run(loadSnoozeApproval, (commands, context) => commands.snoozeApproval(context, id, options)),
    );
  leaf(
    approvals.command("batch"),
    "Decide several approvals at once",
    "bron approvals batch --approve 1b2c3d4e=5c1f9a0b3d2e4f60 --deny 2c3d4e5f=9a0b7c6d5e4f3a21",
  )
    .option(
      "--approve <id=digest>",
      "Approval to approve, with the digest you reviewed or its first 16 characters (repeatable)",
      several,
    )
    .option("--deny <id=digest>", "Approval to deny, in the same form (repeatable)", several)
    .action((options) =>
      run(loadDecideMany, (commands, context) => commands.decideMany(context, options)),
    );
}

function helpFor(verdict: Verdict): string {
  return verdict === "approve" || verdict === "deny" ? groupHelp : oneHelp;
}

/** The four ways to decide one approval, of which two can decide a group. */
function addApproveAndDeny(approvals: Command, { run }: Runner): void {
  const deciding = (verdict: Verdict, description: string, example: string) =>
    leaf(
      approvals.command(verdict),
      description,
      `bron approvals ${verdict} 1b2c3d4e ${example}`.trim(),
    )
      .argument("<id>", helpFor(verdict))
      .option(
        "--digest <digest>",
        "Digest of the version you reviewed, or its first 16 characters (asked for if omitted)",
      )
      .option("--detach", "Decide, then exit without waiting for the run")
      .option(...verbose);
  deciding(
    "approve",
    "Approve an action once, exactly as shown, or a group (you can leave some out)",
    "",
  ).action((id, options) =>
    run(loadDecideApproval, (commands, context) =>
      commands.decideApproval(context, "approve", id, options),
    ),
  );
  deciding("deny", "Deny an action or a group; the run continues without it", "")
    .option("--reason <text>", "Reason, passed on to the model")
    .action((id, options) =>
      run(loadDecideApproval, (commands, context) =>
        commands.decideApproval(context, "deny", id, options),
      ),
    );
  deciding(
    "edit",
    "Edit an action, then review it again",
    '--set subject="On Monday" --set to=eva@example.com ',
  )
    .option(
      "--set <field=value>",
      "Field to change. Repeat it for more fields, or for more values of a list",
      several,
    )
    .action((id, options) =>
      run(loadDecideApproval, (commands, context) =>
        commands.decideApproval(context, "edit", id, options),
      ),
    );
  deciding(
    "reply",
    "Request changes; nothing is sent and the run continues",
    '"shorter, and cc Eva" ',
  )
    .argument("[words]", "What to change, in quotes (asked for if omitted)")
    .option(...wordsFromStdin)
    .action((id, words, options) =>
      run(loadDecideApproval, (commands, context) =>
        commands.decideApproval(context, "reply", id, {
          ...options,
          ...omitUndefined({ words }),
        }),
      ),
    );
}

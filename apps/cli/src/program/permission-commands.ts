import { ruleVerdicts, trustLevels } from "@bron/protocol";
import { Argument, type Command } from "commander";
import { examples, idHelp, leaf } from "./leaf.ts";
import { integer } from "./option-values.ts";
import type { Runner } from "./runner.ts";

const loadPermissions = () => import("../commands/permissions.ts");

export function addPermissionCommands(program: Command, { run }: Runner): void {
  const permissions = program
    .command("permissions")
    .description("Manage what Bron can do without asking")
    .addHelpText(
      "after",
      examples(
        "bron permissions show\n  bron permissions trust delegated\n  bron permissions allow eva@example.com\n  bron permissions rule calendar_event_create deny",
      ),
    );
  leaf(
    permissions.command("show"),
    "Show the trust level, rules, trusted contacts and grants",
    "bron permissions show",
  ).action((options) =>
    run(loadPermissions, (commands, context) => commands.showPermissions(context, options)),
  );
  leaf(permissions.command("trust"), "Set the trust level", "bron permissions trust delegated")
    .addArgument(
      new Argument("<level>", "How much Bron may do without asking").choices(trustLevels),
    )
    .action((level, options) =>
      run(loadPermissions, (commands, context) => commands.setTrust(context, level, options)),
    );
  leaf(
    permissions.command("rule"),
    "Allow, ask or deny for a tool; deny overrides everything else",
    "bron permissions rule gmail_send ask\n  bron permissions rule 'calendar_*' deny\n  bron permissions rule gmail_search deny",
  )
    .argument("<tool>", "Name of the tool, or a prefix followed by *")
    .addArgument(
      new Argument("<verdict>", "What to do when Bron wants to use it").choices(ruleVerdicts),
    )
    .action((tool, verdict, options) =>
      run(loadPermissions, (commands, context) =>
        commands.putRule(context, tool, verdict, options),
      ),
    );
  leaf(
    permissions.command("allow"),
    "Add a trusted contact or domain",
    "bron permissions allow eva@example.com\n  bron permissions allow example.com",
  )
    .argument("<who>", "Email address, or a domain for everyone in it")
    .action((who, options) =>
      run(loadPermissions, (commands, context) => commands.allowPerson(context, who, options)),
    );
  leaf(
    permissions.command("grant"),
    "Temporarily allow a tool to contact one person",
    "bron permissions grant gmail_send eva@example.com --days 7",
  )
    .argument("<tool>", "Name of the tool")
    .argument("<recipient>", "Email address")
    .option("--days <n>", "Days until it expires", integer(1, 90), 7)
    .action((tool, recipient, options) =>
      run(loadPermissions, (commands, context) =>
        commands.giveGrant(context, tool, recipient, options),
      ),
    );
  leaf(
    permissions.command("remove"),
    "Remove a rule, a trusted contact or a grant",
    "bron permissions remove 3f9a1c20",
  )
    .argument("<id>", idHelp)
    .action((id, options) =>
      run(loadPermissions, (commands, context) => commands.removePermission(context, id, options)),
    );
}

import { effectGroups, ruleVerdicts, trustLevels } from "@bron/protocol";
import { Argument, type Command } from "commander";
import { examples, idHelp, leaf } from "./leaf.ts";
import { integer, orDefault } from "./option-values.ts";
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
    "bron permissions rule gmail_send ask\n  bron permissions rule 'calendar_*' deny\n  bron permissions rule gmail_search deny\n  bron permissions rule web_fetch deny --host '*.example.com'\n  bron permissions rule '*' allow --server github",
  )
    .argument("<tool>", "Name of the tool, or a prefix followed by *")
    .addArgument(
      new Argument("<verdict>", "What to do when Bron wants to use it").choices(ruleVerdicts),
    )
    .option("--host <host>", "Only for this host, or for all hosts below it: *.example.com")
    .option("--server <name>", "Only for tools of this MCP server, by their names there")
    .action((tool, verdict, options) =>
      run(loadPermissions, (commands, context) =>
        commands.putRule(context, tool, verdict, options),
      ),
    );
  leaf(
    permissions.command("allow"),
    "Add a trusted contact or domain",
    'bron permissions allow eva@example.com\n  bron permissions allow "The client <eva@example.com>"\n  bron permissions allow example.com',
  )
    .argument(
      "<who>",
      "Email address, also with what you call the person, or a domain for everyone in it",
    )
    .action((who, options) =>
      run(loadPermissions, (commands, context) => commands.allowPerson(context, who, options)),
    );
  leaf(
    permissions.command("grant"),
    "Temporarily allow a tool to contact one person, website or MCP server",
    "bron permissions grant gmail_send eva@example.com --days 7\n  bron permissions grant web_fetch --host '*.example.com'\n  bron permissions grant create_issue --server github",
  )
    .argument("<tool>", "Name of the tool; with --server, its name on that server, or *")
    .argument("[recipient]", "Email address, unless --host or --server is given")
    .option("--host <host>", "One host, or all hosts below it: *.example.com")
    .option("--server <name>", "An MCP server")
    .option("--private", "Also after Bron has read private content, such as your email")
    .option("--days <n>", "Days until it expires", integer(1, 90), 7)
    .action((tool, recipient, options) =>
      run(loadPermissions, (commands, context) =>
        commands.giveGrant(context, tool, recipient, options),
      ),
    );
  addEffectCommand(permissions, run);
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

function addEffectCommand(permissions: Command, run: Runner["run"]): void {
  leaf(
    permissions.command("effect"),
    "Set how long you can undo approvals of a kind, and how many you can approve per minute",
    "bron permissions effect mail --undo 30\n  bron permissions effect fetch --undo 0 --per-minute 20\n  bron permissions effect mail --undo default",
  )
    .addArgument(new Argument("<kind>", "Kind of change").choices(effectGroups))
    .option("--undo <seconds>", "0 to 60, or default", orDefault(integer(0, 60)))
    .option("--per-minute <n>", "1 to 1000, or default", orDefault(integer(1, 1_000)))
    .action((kind, options) =>
      run(loadPermissions, (commands, context) => commands.setEffect(context, kind, options)),
    );
}

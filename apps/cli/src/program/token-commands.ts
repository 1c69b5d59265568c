import { scopes } from "@bron/protocol";
import { Option, type Command } from "commander";
import { examples, idHelp, leaf } from "./leaf.ts";
import { integer } from "./option-values.ts";
import type { Runner } from "./runner.ts";

const loadTokens = () => import("../commands/tokens.ts");

export function addTokenCommands(program: Command, { run }: Runner): void {
  const tokens = program
    .command("tokens")
    .description("Manage API tokens")
    .addHelpText(
      "after",
      examples("bron tokens create nightly --scope read --days 30\n  bron tokens list"),
    );
  leaf(
    tokens.command("create"),
    "Create a token (shown once)",
    'TOKEN=$(bron tokens create nightly --scope read run)\n  curl -H "Authorization: Bearer $TOKEN" http://127.0.0.1:4310/api/runs',
  )
    .argument("<name>", "What the token is for")
    .addOption(
      new Option(
        "--scope <scopes...>",
        "What the token may do (default: read). With speak, what it sends counts as your words",
      ).choices(scopes),
    )
    .option("--days <n>", "Days until it expires", integer(1, 366))
    .action((name, options) =>
      run(loadTokens, (commands, context) => commands.createToken(context, name, options)),
    );
  leaf(tokens.command("list"), "List tokens, without their secrets", "bron tokens list").action(
    (options) => run(loadTokens, (commands, context) => commands.listTokens(context, options)),
  );
  leaf(tokens.command("revoke"), "Revoke a token", "bron tokens revoke 3f9a1c20")
    .argument("<id>", idHelp)
    .action((id, options) =>
      run(loadTokens, (commands, context) => commands.revokeToken(context, id, options)),
    );
}

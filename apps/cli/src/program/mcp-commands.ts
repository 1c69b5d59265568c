import type { Command } from "commander";
import { examples, leaf } from "./leaf.ts";
import { pairs } from "./option-values.ts";
import type { Runner } from "./runner.ts";

const loadMcp = () => import("../commands/mcp.ts");
const loadServe = () => import("../commands/mcp-serve.ts");
const nameHelp = "Name of the server, as bron mcp list shows it";

export function addMcpCommands(program: Command, { run }: Runner): void {
  const mcp = program
    .command("mcp")
    .description("Use tools of MCP servers, and serve Bron's tasks to other programs")
    .addHelpText(
      "after",
      examples(
        "bron mcp add github --url https://mcp.example.com/mcp\n  bron mcp add files -- npx -y @modelcontextprotocol/server-filesystem ~/notes\n  bron mcp accept files",
      ),
    );
  leaf(
    mcp.command("list"),
    "List MCP servers and their tools, and what waits for you to accept it",
    "bron mcp list",
  ).action((options) =>
    run(loadMcp, (commands, context) => commands.listServers(context, options)),
  );
  leaf(
    mcp.command("add"),
    "Add an MCP server to .mcp.json, and show its tools",
    "bron mcp add files -- npx -y @modelcontextprotocol/server-filesystem ~/notes\n  bron mcp add tracker --env TRACKER_KEY='${TRACKER_KEY}' -- tracker-mcp\n  bron mcp add github --url https://mcp.example.com/mcp --header 'X-Key=${KEY}'",
  )
    .argument("<name>", "What you call the server: letters, digits, - and _")
    .argument("[command...]", "The program and its arguments, after --")
    .option("--url <url>", "Address of a server on the web, instead of a program")
    .option("--header <name=value...>", "Headers to send to the URL", pairs)
    .option("--env <name=value...>", "Variables that the program gets", pairs)
    .action((name, command, options) =>
      run(loadMcp, (commands, context) => commands.addServer(context, name, command, options)),
    );
  leaf(
    mcp.command("test"),
    "Start or reach an MCP server, and show its tools. Accepts nothing",
    "bron mcp test files",
  )
    .argument("<name>", nameHelp)
    .action((name, options) =>
      run(loadMcp, (commands, context) => commands.testServer(context, name, options)),
    );
  leaf(
    mcp.command("accept"),
    "Review the tools of an MCP server, and accept them as they are now",
    "bron mcp accept files",
  )
    .argument("<name>", nameHelp)
    .action((name, options) =>
      run(loadMcp, (commands, context) => commands.acceptServer(context, name, options)),
    );
  leaf(
    mcp.command("remove"),
    "Remove an MCP server, with what you accepted of it",
    "bron mcp remove files",
  )
    .argument("<name>", nameHelp)
    .action((name, options) =>
      run(loadMcp, (commands, context) => commands.removeServer(context, name, options)),
    );
  leaf(
    mcp.command("serve"),
    "Serve Bron's tasks to an MCP client over standard input and output. Needs BRON_TOKEN",
    "BRON_TOKEN=bron_... bron mcp serve",
  )
    .option("--url <url>", "Address of Bron (default: the server of this home)")
    .action((options) =>
      run(loadServe, (commands, context) => commands.serveMcp(context, options)),
    );
}

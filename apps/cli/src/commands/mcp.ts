import { BronError } from "@bron/core";
import {
  describeHint,
  mcpStateWords,
  omitUndefined,
  schemaLines,
  spellOut,
  visible,
  type McpServerView,
  type McpToolView,
} from "@bron/protocol";
import { asCalled } from "../called-as.ts";
import type { CommandContext } from "../command-context.ts";
import type { ExitCode } from "../exit-code.ts";
import { reachRuntime } from "../reach-runtime.ts";
import { hint, json, line, note, paint, type Terminal } from "../terminal.ts";

interface Json {
  readonly json?: boolean;
}

export interface AddOptions extends Json {
  readonly url?: string;
  readonly header?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
}

const opening = { work: "none" } as const;

export async function listServers(context: CommandContext, options: Json): Promise<ExitCode> {
  const { terminal } = context;
  const { servers } = await reachRuntime(context, opening, ({ client }) =>
    client.call("GET /api/mcp-servers"),
  );
  if (options.json === true) json(terminal, servers);
  else if (servers.length === 0)
    line(terminal, asCalled(terminal, "No MCP servers. Add one with: bron mcp add --help"));
  else for (const server of servers) show(terminal, server);
  return 0;
}

/** Adds a server, then starts or reaches it once, so that its tools can be reviewed. */
export async function addServer(
  context: CommandContext,
  name: string,
  command: readonly string[],
  { url, header, env, ...options }: AddOptions,
): Promise<ExitCode> {
  const [program, ...args] = command;
  const body = {
    name,
    ...omitUndefined({
      url,
      headers: header && { ...header },
      command: program,
      args: program === undefined ? undefined : args,
      env: env && { ...env },
    }),
  };
  const server = await reachRuntime(context, opening, async ({ client }) => {
    await client.call("POST /api/mcp-servers", { body });
    return find(
      (await client.call("POST /api/mcp-servers/:name/test", { params: { name }, body: {} }))
        .servers,
      name,
    );
  });
  return report(context.terminal, server, options);
}

export async function testServer(
  context: CommandContext,
  name: string,
  options: Json,
): Promise<ExitCode> {
  return report(context.terminal, await test(context, name), options);
}

/**
 * Shows what the server offers, asks, and accepts exactly that. Never accepts without a person at a
 * terminal.
 */
export async function acceptServer(
  context: CommandContext,
  name: string,
  options: Json,
): Promise<ExitCode> {
  const { terminal } = context;
  const server = await test(context, name);
  const { digest } = server;
  if (digest === null || server.state === "failed" || server.state === "needs_sign_in")
    return report(terminal, server, options);
  const waiting = server.tools.filter(({ state }) => state !== "accepted" && state !== "unusable");
  if (waiting.length === 0) {
    if (options.json === true) json(terminal, server);
    else line(terminal, `You have accepted all tools of ${spellOut(name)} already.`);
    return 0;
  }
  for (const tool of waiting) showTool(terminal, tool, note);
  if (!terminal.canAsk)
    throw new BronError("invalid_input", "Only a person at a terminal can accept tools.", {
      details: { hint: `Run bron mcp accept ${name} in a terminal, or use the Connections page.` },
    });
  const question = `Accept ${count(waiting.length, "change")} of ${spellOut(name)}? Type yes to accept: `;
  const response = await terminal.ask(question);
  if (terminal.stop.aborted) throw new BronError("interrupted", "Nothing was changed.");
  if (response.trim().toLowerCase() !== "yes") {
    line(terminal, "Nothing was changed.");
    return 1;
  }
  const accepted = await reachRuntime(context, opening, async ({ client }) =>
    find(
      (
        await client.call("POST /api/mcp-servers/:name/accept", {
          params: { name },
          body: { digest },
        })
      ).servers,
      name,
    ),
  );
  if (options.json === true) json(terminal, accepted);
  else {
    const tools = accepted.tools.filter(({ state }) => state === "accepted");
    line(terminal, `Accepted. Tasks have ${count(tools.length, "tool")} of ${spellOut(name)}.`);
    hint(
      terminal,
      `Bron asks before each call. To allow one: bron permissions rule <tool> allow --server ${name}`,
    );
  }
  return 0;
}

export async function removeServer(
  context: CommandContext,
  name: string,
  options: Json,
): Promise<ExitCode> {
  const { servers } = await reachRuntime(context, opening, ({ client }) =>
    client.call("DELETE /api/mcp-servers/:name", { params: { name } }),
  );
  if (options.json === true) json(context.terminal, servers);
  else line(context.terminal, `Removed ${spellOut(name)}.`);
  return 0;
}

async function test(context: CommandContext, name: string): Promise<McpServerView> {
  const { servers } = await reachRuntime(context, opening, ({ client }) =>
    client.call("POST /api/mcp-servers/:name/test", { params: { name }, body: {} }),
  );
  return find(servers, name);
}

function find(servers: readonly McpServerView[], name: string): McpServerView {
  const found = servers.find((server) => server.name === name);
  if (found) return found;
  throw new BronError("not_found", `There is no MCP server ${name}.`, {
    details: { hint: "List them with: bron mcp list" },
  });
}

function report(terminal: Terminal, server: McpServerView, options: Json): ExitCode {
  if (options.json === true) json(terminal, server);
  else {
    show(terminal, server);
    if (server.state === "held") hint(terminal, `Accept them with: bron mcp accept ${server.name}`);
    if (server.state === "needs_sign_in")
      hint(terminal, "Sign in on the Connections page: bron open /settings/connections");
  }
  return server.state === "failed" || server.state === "invalid" ? 1 : 0;
}

function show(terminal: Terminal, server: McpServerView): void {
  const { name, folder, target, state, problem, tools, notes } = server;
  line(terminal, paint(terminal, "bold", spellOut(name)));
  line(terminal, `  ${spellOut(target)}${folder === null ? "" : `  (in ${spellOut(folder)})`}`);
  const isBad = state === "failed" || state === "invalid";
  line(terminal, paint(terminal, isBad ? "red" : "dim", `  ${mcpStateWords[state]}`));
  if (problem !== null) line(terminal, `  ${spellOut(problem)}`);
  for (const tool of tools) showTool(terminal, tool, line);
  for (const text of notes) line(terminal, `  ${spellOut(text)}`);
}

const toolStates: Readonly<Record<McpToolView["state"], string>> = {
  accepted: "accepted",
  new: "new, waits for you",
  changed: "changed, waits for you",
  gone: "no longer offered",
  unusable: "its input can't be checked, so it isn't used",
};

function showTool(
  terminal: Terminal,
  tool: McpToolView,
  write: (terminal: Terminal, text: string) => void,
): void {
  const hints = Object.entries(tool.hints).map(([name, value]) => describeHint(name, value));
  write(terminal, `  ${spellOut(tool.name)}  (${toolStates[tool.state]})`);
  if (hints.length > 0)
    write(terminal, paint(terminal, "dim", `    The server ${hints.join(", ")}.`));
  if (tool.state === "accepted") return;
  const { accepted } = tool;
  if (!accepted) {
    writeText(terminal, write, "    ", tool.description);
    for (const one of schemaLines(tool.inputSchema)) writeText(terminal, write, "    Input ", one);
    return;
  }
  if (accepted.description !== tool.description) {
    writeText(terminal, write, "  - ", accepted.description);
    writeText(terminal, write, "  + ", tool.description);
  }
  const [before = [], after = []] = [accepted, tool].map(({ inputSchema }) =>
    schemaLines(inputSchema),
  );
  for (const one of before.filter((text) => !after.includes(text)))
    writeText(terminal, write, "  - Input ", one);
  for (const one of after.filter((text) => !before.includes(text)))
    writeText(terminal, write, "  + Input ", one);
}

/** Hidden characters of a stranger's text are spelled out. */
function writeText(
  terminal: Terminal,
  write: (terminal: Terminal, text: string) => void,
  prefix: string,
  text: string,
): void {
  for (const one of visible(text).split("\n")) write(terminal, `${prefix}${one}`);
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? "" : "s"}`;
}

import { createClient, httpTransport } from "@bron/client";
import { BronError, messageOf } from "@bron/core";
import { serveMcpStdio } from "@bron/mcp";
import type { CommandContext } from "../command-context.ts";
import type { ExitCode } from "../exit-code.ts";
import { findRespondingServer } from "../server/home-claim.ts";
import { note } from "../terminal.ts";
import { version } from "../version.ts";

/**
 * A bridge from standard input and output to a server. It has only what its token may do, so the
 * program that starts it is not the owner.
 */
export async function serveMcp(
  { terminal, config }: CommandContext,
  { url: given }: { readonly url?: string },
): Promise<ExitCode> {
  const { token } = config;
  if (token === undefined)
    throw new BronError("config_invalid", "Set BRON_TOKEN to an API token.", {
      details: { hint: "Create one with: bron tokens create my-editor --scope read run" },
    });
  const url = given ?? (await findRespondingServer(config.home))?.url;
  if (url === undefined)
    throw new BronError("server_unreachable", "Bron isn't running on this home.", {
      details: { hint: "Start it with bron start, or give its address: bron mcp serve --url" },
    });
  const client = createClient({
    transport: httpTransport({
      url: () => Promise.resolve(url),
      authorize: () => `Bearer ${token}`,
    }),
  });
  // Fails now and not at the first call if the token or the address is wrong.
  await client.call("GET /api/me");
  await serveMcpStdio(
    { input: process.stdin, output: process.stdout },
    {
      client,
      version,
      signal: terminal.stop,
      onProblem: (message, error) => note(terminal, `${message}: ${messageOf(error)}`),
    },
  );
  return 0;
}

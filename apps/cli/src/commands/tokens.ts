import { BronError } from "@bron/core";
import { omitUndefined, type Scope, type TokenView } from "@bron/protocol";
import { asCalled } from "../called-as.ts";
import type { CommandContext } from "../command-context.ts";
import type { ExitCode } from "../exit-code.ts";
import { reachRuntime } from "../reach-runtime.ts";
import { shortId } from "../render/short-id.ts";
import { table } from "../render/table.ts";
import { ago, until } from "../render/time.ts";
import { hint, json, line } from "../terminal.ts";

interface Json {
  readonly json?: boolean;
}

export interface TokenOptions extends Json {
  readonly scope?: readonly Scope[];
  readonly days?: number;
}

/** Prints only the token to standard output, so that a script can capture it. */
export async function createToken(
  context: CommandContext,
  name: string,
  options: TokenOptions,
): Promise<ExitCode> {
  const { scope, days } = options;
  const created = await reachRuntime(context, { work: "none" }, ({ client }) =>
    client.call("POST /api/tokens", {
      body: {
        name,
        ...omitUndefined({ scopes: scope === undefined ? undefined : [...scope], days }),
      },
    }),
  );
  if (options.json === true) json(context.terminal, created);
  else {
    hint(
      context.terminal,
      `Scopes: ${created.view.scopes.join(", ")}. Copy it now: it won't be shown again. Revoke with: bron tokens revoke ${shortId(created.view.id)}`,
    );
    line(context.terminal, created.token);
  }
  return 0;
}

export async function listTokens(context: CommandContext, options: Json): Promise<ExitCode> {
  const { tokens } = await reachRuntime(context, { work: "none" }, ({ client }) =>
    client.call("GET /api/tokens"),
  );
  if (options.json === true) json(context.terminal, tokens);
  else for (const text of describe(tokens, context)) line(context.terminal, text);
  return 0;
}

export async function revokeToken(
  context: CommandContext,
  id: string,
  options: Json,
): Promise<ExitCode> {
  const revoked = await reachRuntime(context, { work: "none" }, async ({ client }) => {
    const { tokens } = await client.call("GET /api/tokens");
    const [found, ...more] = tokens.filter((token) => token.id.startsWith(id.toLowerCase()));
    if (!found)
      throw new BronError("not_found", `Token ${id} not found.`, {
        details: { hint: "List tokens with: bron tokens list" },
      });
    if (more.length > 0)
      throw new BronError("invalid_input", `${id} matches several. Use more characters.`);
    await client.call("DELETE /api/tokens/:id", { params: { id: found.id } });
    return found;
  });
  if (options.json === true) json(context.terminal, { revoked: revoked.id });
  else line(context.terminal, `Revoked ${revoked.name}.`);
  return 0;
}

function describe(tokens: readonly TokenView[], { terminal }: CommandContext): string[] {
  if (tokens.length === 0)
    return [
      asCalled(terminal, "No tokens. Create one: bron tokens create backup-script --scope read"),
    ];
  const now = terminal.now();
  const rows = tokens.map(({ id, name, scopes, hint, lastUsedAt, expiresAt }) => [
    shortId(id),
    name,
    scopes.join(","),
    `…${hint}`,
    lastUsedAt === null ? "never" : ago(lastUsedAt, now),
    expiresAt === null ? "never" : until(expiresAt, now),
  ]);
  return table(["ID", "NAME", "SCOPES", "TOKEN", "LAST USED", "EXPIRES"], rows, terminal.columns);
}

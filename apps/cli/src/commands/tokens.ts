import { BronError } from "@bron/core";
import { omitUndefined, type Scope, type TokenView } from "@bron/protocol";
import type { CommandContext } from "../command-context.ts";
import type { ExitCode } from "../exit-code.ts";
import { reachRuntime } from "../reach-runtime.ts";
import { shortId } from "../render/short-id.ts";
import { table } from "../render/table.ts";
import { ago, until } from "../render/time.ts";
import { json, line, note } from "../terminal.ts";

interface Json {
  readonly json?: boolean;
}

export interface TokenOptions extends Json {
  readonly scope?: readonly Scope[];
  readonly days?: number;
}

/** The token alone on standard output, so that it can be put where it is needed. */
export async function createToken(
  context: CommandContext,
  name: string,
  options: TokenOptions,
): Promise<ExitCode> {
  const { scope, days } = options;
  const made = await reachRuntime(context, { work: "none" }, ({ runtime }) =>
    runtime.tokens.create({
      name,
      ...omitUndefined({ scopes: scope === undefined ? undefined : [...scope], days }),
    }),
  );
  if (options.json === true) json(context.terminal, made);
  else {
    note(
      context.terminal,
      `It may: ${made.view.scopes.join(", ")}. It is shown this once; bron tokens revoke ${shortId(made.view.id)} ends it.`,
    );
    line(context.terminal, made.token);
  }
  return 0;
}

export async function listTokens(context: CommandContext, options: Json): Promise<ExitCode> {
  const tokens = await reachRuntime(context, { work: "none" }, ({ runtime }) =>
    runtime.tokens.list(),
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
  const revoked = await reachRuntime(context, { work: "none" }, async ({ runtime }) => {
    const [found, ...more] = (await runtime.tokens.list()).filter((token) =>
      token.id.startsWith(id.toLowerCase()),
    );
    if (!found)
      throw new BronError(
        "not_found",
        `There is no token with the id ${id}. bron tokens list shows them.`,
      );
    if (more.length > 0)
      throw new BronError("invalid_input", `${id} stands for several; give more of the id.`);
    await runtime.tokens.revoke(found.id);
    return found;
  });
  if (options.json === true) json(context.terminal, { revoked: revoked.id });
  else line(context.terminal, `Revoked: ${revoked.name}.`);
  return 0;
}

function describe(tokens: readonly TokenView[], { terminal }: CommandContext): string[] {
  if (tokens.length === 0)
    return ["No tokens. bron tokens create backup-script --scope read makes one."];
  const now = terminal.now();
  const rows = tokens.map(({ id, name, scopes, hint, lastUsedAt, expiresAt }) => [
    shortId(id),
    name,
    scopes.join(","),
    `…${hint}`,
    lastUsedAt === null ? "never" : ago(lastUsedAt, now),
    expiresAt === null ? "never" : until(expiresAt, now),
  ]);
  return table(["ID", "NAME", "MAY", "TOKEN", "USED", "ENDS"], rows, terminal.columns);
}

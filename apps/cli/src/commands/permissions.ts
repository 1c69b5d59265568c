import type { Client } from "@bron/client";
import { BronError } from "@bron/core";
import {
  omitUndefined,
  type EffectGroup,
  type PermissionsView,
  type RuleVerdict,
  type RuleView,
  type TrustLevel,
} from "@bron/protocol";
import type { CommandContext } from "../command-context.ts";
import type { ExitCode } from "../exit-code.ts";
import { reachRuntime } from "../reach-runtime.ts";
import { shortId } from "../render/short-id.ts";
import { table } from "../render/table.ts";
import { until } from "../render/time.ts";
import { json, line, paint } from "../terminal.ts";

interface Json {
  readonly json?: boolean;
}

type Change = (call: Client["call"]) => Promise<PermissionsView>;

export const showPermissions = (context: CommandContext, options: Json) =>
  through(context, options, (call) => call("GET /api/permissions"));
export const setTrust = (context: CommandContext, level: TrustLevel, options: Json) =>
  through(context, options, (call) => call("POST /api/permissions/trust", { body: { level } }));
export const putRule = (
  context: CommandContext,
  tool: string,
  verdict: RuleVerdict,
  { host, server, ...options }: Json & { readonly host?: string; readonly server?: string },
) =>
  through(context, options, (call) =>
    call("POST /api/permissions/rules", {
      body: { tool, verdict, ...omitUndefined({ host, server }) },
    }),
  );
export const allowPerson = (context: CommandContext, value: string, options: Json) =>
  through(context, options, (call) => call("POST /api/permissions/allowed", { body: { value } }));
export const giveGrant = (
  context: CommandContext,
  tool: string,
  recipient: string | undefined,
  {
    days,
    host,
    server,
    private: includesPrivate = false,
    ...options
  }: Json & {
    readonly days: number;
    readonly host?: string;
    readonly server?: string;
    readonly private?: boolean;
  },
) =>
  through(context, options, (call) =>
    call("POST /api/permissions/grants", {
      body: { tool, days, includesPrivate, ...omitUndefined({ recipient, host, server }) },
    }),
  );

/** Changes only what is given. `default` removes a setting. */
export const setEffect = (
  context: CommandContext,
  kind: EffectGroup,
  {
    undo,
    perMinute,
    ...options
  }: Json & { readonly undo?: number | "default"; readonly perMinute?: number | "default" },
) =>
  through(context, options, async (call) => {
    const { effects } = await call("GET /api/permissions");
    const before = effects.find((setting) => setting.kind === kind);
    const pick = (given: number | "default" | undefined, now: number | null | undefined) =>
      given === undefined ? (now ?? null) : given === "default" ? null : given;
    return await call("POST /api/permissions/effects", {
      body: {
        kind,
        undoSeconds: pick(undo, before?.undoSeconds),
        approvalsPerMinute: pick(perMinute, before?.approvalsPerMinute),
      },
    });
  });

/** Removes a rule, a trusted contact or a grant by its id. */
export const removePermission = (context: CommandContext, id: string, options: Json) =>
  through(context, options, async (call) => {
    const view = await call("GET /api/permissions");
    const all = (["rules", "allowed", "grants"] as const).flatMap((kind) =>
      view[kind].map((entry) => ({ kind, id: entry.id })),
    );
    const [found, ...more] = all.filter((entry) => entry.id.startsWith(id.toLowerCase()));
    if (!found)
      throw new BronError("not_found", `No rule, contact or grant with ID ${id}.`, {
        details: { hint: "List them with: bron permissions show" },
      });
    if (more.length > 0)
      throw new BronError("invalid_input", `${id} matches several. Use more characters.`);
    return await call(`POST /api/permissions/${found.kind}/:id/remove`, {
      params: { id: found.id },
    });
  });

async function through(context: CommandContext, options: Json, change: Change): Promise<ExitCode> {
  const { terminal } = context;
  const view = await reachRuntime(
    context,
    { work: "none" },
    async ({ client }) => await change(client.call),
  );
  if (options.json === true) json(terminal, view);
  else for (const text of describe(view, context)) line(terminal, text);
  return 0;
}

const levels: Readonly<Record<TrustLevel, string>> = {
  supervised: "supervised: asks before sending or changing anything",
  delegated: "delegated: sends email to trusted contacts without asking; asks about the rest",
  autonomous:
    "autonomous: does what you ask for without asking again; asks about what others may have chosen",
};

function describe(
  { trustLevel, rules, allowed, grants, effects, defaultUndoSeconds }: PermissionsView,
  { terminal, config }: CommandContext,
): string[] {
  const now = terminal.now();
  const live = grants.filter(
    ({ revokedAt, expiresAt }) => revokedAt === null && Date.parse(expiresAt) > now.getTime(),
  );
  const head = (text: string) => paint(terminal, "bold", text);
  return [
    `${head("Trust")}  ${levels[trustLevel]}`,
    ...(config.sideEffects
      ? []
      : ["AGENT_SIDE_EFFECTS_ENABLED is off, so Bron sends and changes nothing."]),
    ...(config.onlyRecipients
      ? [`Only these get anything, whatever you approve: ${config.onlyRecipients.join(", ")}.`]
      : []),
    "",
    head("Rules"),
    ...(rules.length === 0
      ? [`None. Add one: ${terminal.calledAs} permissions rule gmail_send ask`]
      : table(
          ["ID", "TOOL", "WHERE", "VERDICT", "BRON"],
          rules.map(({ id, tool, host, server, verdict, bronId }) => [
            shortId(id),
            tool,
            where({ host, server }),
            verdict,
            bronId === null ? "all" : shortId(bronId),
          ]),
          terminal.columns,
        )),
    "",
    head("Undo and approvals per minute"),
    ...table(
      ["KIND", "UNDO", "PER MINUTE"],
      effects.map(({ kind, undoSeconds, approvalsPerMinute }) => [
        kind,
        undoSeconds === null ? `${defaultUndoSeconds}s (default)` : `${undoSeconds}s`,
        approvalsPerMinute === null ? "default" : String(approvalsPerMinute),
      ]),
      terminal.columns,
    ),
    "",
    head("Trusted contacts"),
    ...(allowed.length === 0
      ? [`None. Add one: ${terminal.calledAs} permissions allow eva@example.com`]
      : table(
          ["ID", "WHO", "KIND"],
          allowed.map(({ id, value, name, kind }) => [
            shortId(id),
            name === null ? value : `${name} <${value}>`,
            kind,
          ]),
          terminal.columns,
        )),
    "",
    head("Grants"),
    ...(live.length === 0
      ? [
          `None. Add one: ${terminal.calledAs} permissions grant gmail_send eva@example.com --days 7`,
        ]
      : table(
          ["ID", "TOOL", "FOR", "USES", "EXPIRES"],
          live.map(({ id, tool, recipient, host, server, uses, expiresAt }) => [
            shortId(id),
            tool,
            recipient ?? where({ host, server }),
            String(uses),
            until(expiresAt, now),
          ]),
          terminal.columns,
        )),
  ];
}

/** The host and the MCP server that a rule or grant names. */
function where({ host, server }: Pick<RuleView, "host" | "server">): string {
  const names = [server === null ? undefined : `server ${server}`, host ?? undefined];
  return names.filter((name) => name !== undefined).join(", ") || "anywhere";
}

import { BronError } from "@bron/core";
import type { PermissionsView, RuleVerdict, TrustLevel } from "@bron/protocol";
import type { CommandContext } from "../command-context.ts";
import type { ExitCode } from "../exit-code.ts";
import type { OwnerRuntime } from "../owner-runtime.ts";
import { reachRuntime } from "../reach-runtime.ts";
import { shortId } from "../render/short-id.ts";
import { table } from "../render/table.ts";
import { until } from "../render/time.ts";
import { json, line, paint } from "../terminal.ts";

interface Json {
  readonly json?: boolean;
}

type Change = (permissions: OwnerRuntime["permissions"]) => Promise<PermissionsView>;

export const showPermissions = (context: CommandContext, options: Json) =>
  through(context, options, (permissions) => permissions.get());
export const setTrust = (context: CommandContext, level: TrustLevel, options: Json) =>
  through(context, options, (permissions) => permissions.setTrustLevel(level));
export const putRule = (
  context: CommandContext,
  tool: string,
  verdict: RuleVerdict,
  options: Json,
) => through(context, options, (permissions) => permissions.putRule({ tool, verdict }));
export const allowPerson = (context: CommandContext, value: string, options: Json) =>
  through(context, options, (permissions) => permissions.allow(value));
export const giveGrant = (
  context: CommandContext,
  tool: string,
  recipient: string,
  options: Json & { readonly days: number },
) =>
  through(context, options, (permissions) =>
    permissions.grant({ tool, recipient, days: options.days }),
  );

/** By its id, whichever of the three it is. */
export const removePermission = (context: CommandContext, id: string, options: Json) =>
  through(context, options, async (permissions) => {
    const view = await permissions.get();
    const all = (["rules", "allowed", "grants"] as const).flatMap((kind) =>
      view[kind].map((one) => ({ kind, id: one.id })),
    );
    const [found, ...more] = all.filter((one) => one.id.startsWith(id.toLowerCase()));
    if (!found)
      throw new BronError(
        "not_found",
        `There is nothing with the id ${id}. bron permissions show lists them.`,
      );
    if (more.length > 0)
      throw new BronError("invalid_input", `${id} stands for several; give more of the id.`);
    return await permissions.remove(found.kind, found.id);
  });

async function through(context: CommandContext, options: Json, change: Change): Promise<ExitCode> {
  const { terminal } = context;
  const view = await reachRuntime(
    context,
    { work: "none" },
    async ({ runtime }) => await change(runtime.permissions),
  );
  if (options.json === true) json(terminal, view);
  else for (const text of describe(view, context)) line(terminal, text);
  return 0;
}

const levels: Readonly<Record<TrustLevel, string>> = {
  supervised: "supervised: you are asked about everything that others can see",
  delegated:
    "delegated: mail to people on your list goes out unasked; everything else is asked about",
  autonomous:
    "autonomous: what you called for is done unasked; what others may have chosen is asked about",
};

function describe(
  { trustLevel, rules, allowed, grants }: PermissionsView,
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
      : ["AGENT_SIDE_EFFECTS_ENABLED is off: nothing outside is changed, whatever stands here."]),
    "",
    head("Rules"),
    ...(rules.length === 0
      ? ["None. bron permissions rule gmail_send ask"]
      : table(
          ["ID", "TOOL", "VERDICT", "OF"],
          rules.map(({ id, tool, verdict, bronId }) => [
            shortId(id),
            tool,
            verdict,
            bronId === null ? "every Bron" : shortId(bronId),
          ]),
          terminal.columns,
        )),
    "",
    head("People and domains"),
    ...(allowed.length === 0
      ? ["Nobody. bron permissions allow eva@example.com"]
      : table(
          ["ID", "WHO", "KIND"],
          allowed.map(({ id, value, kind }) => [shortId(id), value, kind]),
          terminal.columns,
        )),
    "",
    head("Grants"),
    ...(live.length === 0
      ? ["None. bron permissions grant gmail_send eva@example.com --days 7"]
      : table(
          ["ID", "TOOL", "TO", "USED", "ENDS"],
          live.map(({ id, tool, recipient, uses, expiresAt }) => [
            shortId(id),
            tool,
            recipient,
            String(uses),
            until(expiresAt, now),
          ]),
          terminal.columns,
        )),
  ];
}

import type { Client } from "@bron/client";
import { BronError } from "@bron/core";
import type { ApprovalView, EffectView, RunView } from "@bron/protocol";

const labels = { run: "Run", approval: "Approval", effect: "Effect" } as const;
type Kind = keyof typeof labels;

const fullId = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const prefix = /^[0-9a-f][0-9a-f-]{5,35}$/i;

/** Finds a run by its full id or by a unique prefix. */
export async function findRun(runtime: Client, idOrPrefix: string): Promise<RunView> {
  if (fullId.test(idOrPrefix)) return await runtime.runs.get(idOrPrefix.toLowerCase());
  const wanted = checkPrefix("run", idOrPrefix);
  return requireSingle("run", idOrPrefix, await runtime.runs.list({ idPrefix: wanted }));
}

export async function findApproval(runtime: Client, idOrPrefix: string): Promise<ApprovalView> {
  if (fullId.test(idOrPrefix)) return await runtime.approvals.get(idOrPrefix.toLowerCase());
  const wanted = checkPrefix("approval", idOrPrefix);
  return requireSingle("approval", idOrPrefix, await runtime.approvals.list({ idPrefix: wanted }));
}

/** Finds an effect by its full id, or an unsettled effect by a unique prefix. */
export async function findEffect(runtime: Client, idOrPrefix: string): Promise<EffectView> {
  if (fullId.test(idOrPrefix)) return await runtime.effects.get(idOrPrefix.toLowerCase());
  const wanted = checkPrefix("effect", idOrPrefix);
  return requireSingle(
    "effect",
    idOrPrefix,
    (await runtime.effects.listUnknown()).filter(({ id }) => id.startsWith(wanted)),
  );
}

function checkPrefix(what: Kind, idOrPrefix: string): string {
  if (prefix.test(idOrPrefix)) return idOrPrefix.toLowerCase();
  throw new BronError(
    "invalid_input",
    `"${idOrPrefix}" isn't a valid ID. Use at least the first 6 characters.`,
    { details: { hint: hintFor(what) } },
  );
}

function hintFor(what: Kind): string {
  return `List ${what}s with: bron ${what}s list${what === "approval" ? " --all" : ""}`;
}

function requireSingle<T extends { readonly id: string }>(
  what: Kind,
  idOrPrefix: string,
  found: readonly T[],
): T {
  const [first] = found;
  if (!first)
    throw new BronError("not_found", `${labels[what]} ${idOrPrefix} not found.`, {
      details: { hint: hintFor(what) },
    });
  if (found.length > 1)
    throw new BronError(
      "invalid_input",
      `${idOrPrefix} matches ${found.length} ${what}s. Use more characters.`,
    );
  return first;
}

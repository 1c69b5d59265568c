import { BronError } from "@bron/core";
import type { ApprovalView, EffectView, RunView } from "@bron/protocol";
import type { OwnerRuntime } from "./owner-runtime.ts";

const fullId = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const prefix = /^[0-9a-f][0-9a-f-]{5,35}$/i;

/** By the whole id or a unique beginning of it. */
export async function findRun(runtime: OwnerRuntime, given: string): Promise<RunView> {
  if (fullId.test(given)) return await runtime.runs.get(given.toLowerCase());
  const wanted = checkPrefix("run", given);
  return theOne("run", given, await runtime.runs.list({ idPrefix: wanted }));
}

export async function findApproval(runtime: OwnerRuntime, given: string): Promise<ApprovalView> {
  if (fullId.test(given)) return await runtime.approvals.get(given.toLowerCase());
  const wanted = checkPrefix("approval", given);
  return theOne("approval", given, await runtime.approvals.list({ idPrefix: wanted }));
}

/** By a beginning only among those that nobody has settled. */
export async function findEffect(runtime: OwnerRuntime, given: string): Promise<EffectView> {
  if (fullId.test(given)) return await runtime.effects.get(given.toLowerCase());
  const wanted = checkPrefix("effect", given);
  return theOne(
    "effect",
    given,
    (await runtime.effects.inDoubt()).filter(({ id }) => id.startsWith(wanted)),
  );
}

function checkPrefix(what: string, given: string): string {
  if (prefix.test(given)) return given.toLowerCase();
  throw new BronError(
    "invalid_input",
    `"${given}" is not an id: give it whole, or at least its first 6 characters.`,
    { details: { hint: hintFor(what) } },
  );
}

function hintFor(what: string): string {
  return `List what there is: bron ${what}s list${what === "approval" ? " --all" : ""}`;
}

function theOne<T extends { readonly id: string }>(
  what: string,
  given: string,
  found: readonly T[],
): T {
  const [first] = found;
  if (!first)
    throw new BronError("not_found", `There is no ${what} ${given}.`, {
      details: { hint: hintFor(what) },
    });
  if (found.length > 1)
    throw new BronError(
      "invalid_input",
      `${found.length} ${what}s begin with ${given}: give more characters of the id.`,
    );
  return first;
}

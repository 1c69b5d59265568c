import { grantSchema, ruleSchema } from "@bron/protocol";
import type { Runtime } from "@bron/runtime";
import { ownerId } from "./owner.ts";
import type { OwnerRuntime } from "./owner-runtime.ts";

const removals = { rules: "removeRule", allowed: "disallow", grants: "revoke" } as const;

/** Runs commands with a runtime in this process, for the single owner of this home. */
export function libraryRuntime({
  runs,
  approvals,
  effects,
  audit,
  permissions,
  tokens,
  partialTexts,
}: Pick<
  Runtime,
  "runs" | "approvals" | "effects" | "audit" | "permissions" | "tokens" | "partialTexts"
>): OwnerRuntime {
  const thenView = async (change: Promise<unknown>) => {
    await change;
    return await permissions.view(ownerId);
  };
  return {
    runs: {
      create: (input, options) => runs.create(ownerId, input, options),
      get: (runId) => runs.get(ownerId, runId),
      list: (options) => runs.list(ownerId, options),
      actions: (runId) => runs.actions(ownerId, runId),
      effects: (runId) => runs.effects(ownerId, runId),
      cancel: (runId, reason) => runs.cancel(ownerId, runId, reason),
      retry: (runId) => runs.retry(ownerId, runId),
      cancelAll: (reason) => runs.cancelAll(ownerId, reason),
      async *events(runId, { onPartialText, onConnection: _, ...options } = {}) {
        const unsubscribe = onPartialText
          ? await partialTexts.subscribe(ownerId, runId, onPartialText)
          : () => undefined;
        try {
          yield* runs.events(ownerId, runId, options);
        } finally {
          unsubscribe();
        }
      },
    },
    approvals: {
      get: (approvalId) => approvals.get(ownerId, approvalId),
      list: (options) => approvals.list(ownerId, options),
      approve: (approvalId, digest) => approvals.approve(ownerId, approvalId, digest),
      deny: (approvalId, digest, reason) => approvals.deny(ownerId, approvalId, digest, reason),
      edit: (approvalId, digest, changes) => approvals.edit(ownerId, approvalId, digest, changes),
      reply: (approvalId, digest, words) => approvals.reply(ownerId, approvalId, digest, words),
      undo: (approvalId) => approvals.undo(ownerId, approvalId),
      approveMany: (seen) => approvals.approveMany(ownerId, seen),
      denyMany: (seen) => approvals.denyMany(ownerId, seen),
      decideForRun: (runId, decision) => approvals.decideForRun(ownerId, runId, decision),
    },
    effects: {
      get: (effectId) => effects.get(ownerId, effectId),
      listUnknown: () => effects.listUnknown(ownerId),
      settle: (effectId, as, note) => effects.settle(ownerId, effectId, as, note),
    },
    permissions: {
      get: () => permissions.view(ownerId),
      setTrustLevel: (level) => thenView(permissions.setTrustLevel(ownerId, null, level)),
      putRule: (rule) => thenView(permissions.putRule(ownerId, ruleSchema.parse(rule))),
      allow: (value) => thenView(permissions.allow(ownerId, value)),
      grant: (grant) => thenView(permissions.grant(ownerId, grantSchema.parse(grant))),
      remove: (kind, id) => thenView(permissions[removals[kind]](ownerId, id)),
    },
    tokens: {
      create: (token) => tokens.create(ownerId, token),
      list: () => tokens.list(ownerId),
      revoke: async (id) => void (await tokens.revoke(ownerId, id)),
    },
    audit: {
      list: (options) => audit.list(ownerId, options),
      all: (options) => audit.all(ownerId, options),
    },
  };
}

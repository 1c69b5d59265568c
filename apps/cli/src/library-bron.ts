import type { Bron } from "bron";
import { ownerId } from "./owner.ts";
import type { OwnerBron } from "./owner-bron.ts";

/** The library in this process. */
export function libraryBron({ runs, approvals, effects, audit, answers }: Pick<Bron, "runs" | "approvals" | "effects" | "audit" | "answers">): OwnerBron {
  return {
    runs: {
      create: (input, options) => runs.create(ownerId, input, options),
      get: (runId) => runs.get(ownerId, runId),
      list: (options) => runs.list(ownerId, options),
      actions: (runId) => runs.actions(ownerId, runId),
      effects: (runId) => runs.effects(ownerId, runId),
      cancel: (runId, reason) => runs.cancel(ownerId, runId, reason),
      cancelAll: (reason) => runs.cancelAll(ownerId, reason),
      async *events(runId, { onAnswer, onServer: _, ...options } = {}) {
        const leave = onAnswer ? await answers.follow(ownerId, runId, onAnswer) : () => undefined;
        try {
          yield* runs.events(ownerId, runId, options);
        } finally {
          leave();
        }
      },
    },
    approvals: {
      get: (approvalId) => approvals.get(ownerId, approvalId),
      list: (options) => approvals.list(ownerId, options),
      approve: (approvalId, digest) => approvals.approve(ownerId, approvalId, digest),
      deny: (approvalId, digest, reason) => approvals.deny(ownerId, approvalId, digest, reason),
    },
    effects: {
      get: (effectId) => effects.get(ownerId, effectId),
      inDoubt: () => effects.inDoubt(ownerId),
      settle: (effectId, as, note) => effects.settle(ownerId, effectId, as, note),
    },
    audit: {
      page: (options) => audit.page(ownerId, options),
      all: (options) => audit.all(ownerId, options),
    },
  };
}

import { BronError, cleanText, type Effects } from "@bron/core";
import { omitUndefined } from "@bron/protocol";
import { findRun } from "./find-run.ts";
import { toPublicEffect } from "./public-views.ts";
import { discardDraft, listRunDrafts, type RunDraftsDeps } from "./run-drafts.ts";
import { restoreEffect, type RestoreDeps } from "./restore-effect.ts";
import type { ServicesOf } from "./service.ts";

type EffectKeys =
  | "GET /api/effects"
  | "GET /api/effects/:id"
  | "POST /api/effects/:id/settle"
  | "POST /api/effects/:id/undo"
  | "POST /api/effects/:id/discard"
  | "GET /api/runs/:id/drafts"
  | "POST /api/effects/:id/restore";

/** What the owner does about effects that needed no approval, or have ended. */
export function effectServices(
  deps: RestoreDeps & RunDraftsDeps & { readonly effects: Effects },
): ServicesOf<EffectKeys> {
  const { effects } = deps;
  return {
    "GET /api/effects": async ({ caller: { ownerId } }) => ({
      effects: (await effects.listUnknown(ownerId)).map(toPublicEffect),
    }),
    async "GET /api/effects/:id"({ caller: { ownerId }, params: { id } }) {
      const effect = await effects.get(ownerId, id);
      if (!effect) throw new BronError("not_found", `Effect ${id} not found.`);
      return toPublicEffect(effect);
    },
    /** Records once what the owner found out. Throws conflict if the outcome is known. */
    async "POST /api/effects/:id/settle"({ caller: { ownerId }, params, body: { as, note } }) {
      const effect = await effects.settle({
        ownerId,
        effectId: params.id,
        as,
        ...omitUndefined({ note: note === undefined ? undefined : cleanText(note) }),
      });
      return toPublicEffect(effect);
    },
    "POST /api/effects/:id/undo": async ({ caller: { ownerId }, params }) =>
      toPublicEffect(await effects.undo(ownerId, params.id)),
    "POST /api/effects/:id/discard": ({ caller: { ownerId }, params }) =>
      discardDraft(deps, ownerId, params.id),
    "GET /api/runs/:id/drafts": async ({ caller: { ownerId }, params }) => {
      const { id } = await findRun(deps.runs, ownerId, params.id);
      return { drafts: await listRunDrafts(deps, ownerId, id) };
    },
    "POST /api/effects/:id/restore": async ({ caller: { ownerId }, params }) =>
      toPublicEffect(await restoreEffect(deps, ownerId, params.id)),
  };
}

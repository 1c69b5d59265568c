import { BronError, requestError, type AccountReader, type Store, type Tool } from "@bron/core";
import type { DraftView, JsonValue } from "@bron/protocol";
import { z } from "zod";

export interface RunDraftsDeps {
  readonly runs: Pick<Store["runs"], "get" | "list" | "events" | "effects">;
  readonly effects: Pick<Store["effects"], "get">;
  readonly audit: Pick<Store["audit"], "write">;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly sideEffects: boolean;
}

/** An effect that left a draft, with the form that it wrote. */
interface WrittenDraft {
  readonly effectId: string;
  readonly draftId: string;
  readonly prepared: JsonValue;
  readonly access: NonNullable<Tool["draft"]>;
}

const pageSize = 1_000;
/** A person is waiting. */
const timeoutMs = 10_000;
/** The newest ones. More would be more requests than a mailbox allows at once. */
const maxDrafts = 10;
/** The newest tasks of a conversation, among which the one that sent a draft is looked for. */
const maxRuns = 20;

/**
 * The drafts that a run left in the owner's accounts, as they are now. A draft that cannot be read,
 * for example because the account is disconnected, is missing.
 */
export async function listRunDrafts(
  deps: RunDraftsDeps,
  ownerId: string,
  runId: string,
): Promise<DraftView[]> {
  const written = await findDrafts(deps, ownerId, runId);
  const reader = { ownerId, signal: AbortSignal.timeout(timeoutMs) };
  const drafts = await Promise.all(
    written.slice(-maxDrafts).map((draft) => readDraft(draft, reader).catch(() => undefined)),
  );
  const found = drafts.filter((draft) => draft !== undefined);
  if (!found.some(({ state }) => state === "deleted")) return found;
  const sent = await sentDrafts(deps, ownerId, runId);
  return found.map((draft) => ({ ...draft, ...sent.get(draft.draftId) }));
}

async function readDraft(
  { effectId, draftId, prepared, access }: WrittenDraft,
  reader: AccountReader,
): Promise<DraftView> {
  return { ...(await access.read(prepared, draftId, reader)), effectId };
}

const sentSchema = z.object({
  draftId: z.string(),
  to: z.array(z.string()),
  cc: z.array(z.string()),
  subject: z.string(),
});

/**
 * The drafts that the conversation has sent, as they left. The mailbox does not know them by their
 * IDs any more, and the owner may have edited them at the approval.
 */
async function sentDrafts(
  { runs }: Pick<RunDraftsDeps, "runs">,
  ownerId: string,
  runId: string,
): Promise<ReadonlyMap<string, Partial<DraftView>>> {
  const run = await runs.get(ownerId, runId);
  const others = run ? await runs.list(ownerId, { threadId: run.threadId, limit: maxRuns }) : [];
  const effects = await Promise.all(
    [runId, ...others.map(({ id }) => id)].map((id) => runs.effects(ownerId, id)),
  );
  return new Map(
    effects.flat().flatMap(({ state, outcome }) => {
      const sent = state === "done" ? sentSchema.safeParse(outcome).data : undefined;
      return sent ? [[sent.draftId, { ...sent, state: "sent" }] as const] : [];
    }),
  );
}

/** Deletes the draft that an effect left. Throws not_found or conflict. */
export async function discardDraft(
  deps: RunDraftsDeps,
  ownerId: string,
  effectId: string,
): Promise<DraftView> {
  const effect = await deps.effects.get(ownerId, effectId);
  if (!effect) throw new BronError("not_found", `Effect ${effectId} not found.`);
  const { runId, actionId, tool, digest } = effect;
  const draft = (await findDrafts(deps, ownerId, runId)).find((one) => one.effectId === effectId);
  if (!draft) throw requestError("conflict", { code: "no_draft" });
  if (!deps.sideEffects) throw requestError("conflict", { code: "side_effects_off" });
  const reader = { ownerId, signal: AbortSignal.timeout(timeoutMs) };
  await draft.access.discard(draft.prepared, draft.draftId, reader);
  await deps.audit.write(ownerId, {
    what: "effect.discarded",
    by: "owner",
    runId,
    actionId,
    effectId,
    tool,
    digest,
  });
  return await readDraft(draft, reader);
}

/** One for each draft: the last effect of the run that wrote it. */
async function findDrafts(
  { runs, tools }: RunDraftsDeps,
  ownerId: string,
  runId: string,
): Promise<readonly WrittenDraft[]> {
  const forms = new Map<string, JsonValue>();
  const found = new Map<string, WrittenDraft>();
  for (let after = 0; ; after += pageSize) {
    const events = await runs.events(ownerId, runId, after, pageSize);
    for (const { type, payload } of events) {
      if (type !== "effect") continue;
      const { effectId, state, tool, outcome } = payload;
      if (payload.prepared !== undefined) forms.set(effectId, payload.prepared);
      const prepared = forms.get(effectId);
      const access = tools.get(tool)?.draft;
      if (state !== "done" || !access || prepared === undefined || outcome === undefined) continue;
      for (const { kind, id: draftId } of tools.get(tool)?.wroteOf(prepared, outcome) ?? [])
        if (kind === "draft") found.set(draftId, { effectId, draftId, prepared, access });
    }
    if (events.length < pageSize) return [...found.values()];
  }
}

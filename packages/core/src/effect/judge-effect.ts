import {
  omitUndefined,
  type EffectGroup,
  type FormReads,
  type JsonValue,
  type RiskReason,
} from "@bron/protocol";
import { findNothing, type FindMention } from "../intent/find-mention.ts";
import type { FindFiles } from "../intent/found-file.ts";
import type { TaskDenials } from "./task-denials.ts";
import type { ReadIntent } from "../intent/intent.ts";
import type { OwnerText } from "../intent/owner-text.ts";
import { resolveIntent } from "../intent/resolve-intent.ts";
import { repliedMails } from "../policy/denied-effect.ts";
import { withServer, type EffectFacts } from "../policy/effect-facts.ts";
import { asksUsedBy } from "../policy/risks/intent-risks.ts";
import { normalizeAddress } from "../policy/text/names.ts";
import type { Permissions } from "../policy/permissions/permissions.ts";
import { lowerTrust } from "../policy/permissions/lower-trust.ts";
import { beyondLimit, type RecipientLimit } from "../policy/recipient-limit.ts";
import type { Policy, PolicyView, ProposedEffect } from "../policy/policy.ts";
import type { PolicyDecision } from "../policy/policy-decision.ts";
import { grantFor, targetGrantFor } from "../policy/permissions/rules.ts";
import {
  mergeLabels,
  noLabels,
  uploadsIn,
  withResult,
  type RunLabels,
} from "../policy/run-labels.ts";
import type { AskUses, Readings } from "../ports/runs/ask-uses.ts";
import type { Denials } from "../ports/runs/denials.ts";
import type { RunHeader } from "../ports/runs/run-log.ts";
import type { Tool, ToolContext } from "../tool/tool.ts";
import { readingOf } from "../intent/read-words.ts";

export interface JudgeDeps {
  readonly policy: Policy;
  readonly permissions: Pick<Permissions, "rules">;
  /** How long the owner can undo an effect that needs no approval. Without it, not at all. */
  readonly undoMs?: ((ownerId: string, kind: EffectGroup) => Promise<number>) | undefined;
  /** False denies every effect, whatever the rules say. */
  readonly sideEffects: boolean;
  /** Denies every effect that reaches others, whatever was approved. */
  readonly onlyRecipients?: RecipientLimit | undefined;
  readonly askUses: AskUses;
  readonly denials: Denials;
}

export interface JudgeContext {
  readonly run: RunHeader;
  /** Labels of what the run has read so far, and of the context before it. */
  readonly labels: () => Promise<RunLabels>;
  /** The owner's words, what was read in them, and the run that they were typed for. */
  readonly words: () => Promise<{
    readonly rootRunId: string;
    readonly texts: readonly OwnerText[];
    readonly readings: Readings;
  }>;
  /** What the owner did not approve in the task so far. */
  readonly denials: TaskDenials;
  /** What another run of the owner, and the runs above it, have read. */
  readonly labelsOfRun: (runId: string) => Promise<RunLabels>;
  /** Returns a risk if the retried run has done, or may have done, an effect of this tool. */
  readonly repeats: (tool: Tool) => RiskReason | undefined;
  /** How many actions of its tool the model called before it, and have not ended. */
  readonly openBefore: (effect: Pick<ProposedEffect, "tool" | "actionId">) => number;
}

interface Judged {
  readonly tool: Tool;
  readonly effect: ProposedEffect;
  readonly context: ToolContext;
  /** What the tool read to prepare the effect. */
  readonly reads?: FormReads | undefined;
  /** The effect was proposed and judged before, and starts now. */
  readonly isStarting?: boolean;
  /** The fields that the owner edited. */
  readonly edited?: string;
}

/**
 * Judges by the owner's current rules and words. An effect that starts is judged by the rules alone:
 * what was read since it was proposed cannot have chosen anything in it.
 */
export async function judgeEffect(
  deps: JudgeDeps,
  judging: JudgeContext,
  { tool, effect, context, reads, isStarting = false, edited }: Judged,
): Promise<PolicyDecision & { readonly grants: readonly string[] }> {
  const { run, labels, repeats } = judging;
  const facts = withServer(tool.factsOf(effect.prepared), tool.server);
  const beyond =
    deps.onlyRecipients && tool.seenBy === "others" ? beyondLimit(deps.onlyRecipients, facts) : [];
  if (beyond.length > 0)
    return {
      verdict: "deny",
      reasons: [{ code: "recipients_not_permitted", addresses: beyond }],
      grants: [],
    };
  const isCompared = tool.effectKind !== undefined && !isStarting;
  const [stored, read, denials] = await Promise.all([
    deps.permissions.rules(run),
    isStarting
      ? noLabels
      : labels().then((own) => withReads(own, judging, { tool, effect, reads })),
    isStarting ? [] : judging.denials(effect),
  ]);
  const rules = {
    ...stored,
    trustLevel: lowerTrust(stored.trustLevel, run.maxTrustLevel),
    sideEffects: deps.sideEffects,
  };
  const call = { tool: tool.name, targets: facts.targets };
  const grants = [
    ...facts.recipients.map(({ address }) => grantFor(rules, call, normalizeAddress(address))),
    targetGrantFor(rules, call),
  ].filter((id) => id !== undefined);
  const repeated = isStarting ? undefined : repeats(tool);
  const view: PolicyView = {
    facts,
    labels: read,
    rules,
    denials,
    ...(facts.kind === "fetch" ? { openPages: judging.openBefore(effect) } : {}),
    ...(isCompared ? { effectKind: tool.effectKind } : {}),
    ...omitUndefined({ edited, repeats: repeated }),
  };
  const { kind } = facts;
  const decision = isCompared
    ? await judgeByWords(deps, judging, { tool, effect, context, facts, view })
    : deps.policy(effect, view);
  const canUndo =
    decision.verdict === "allow" && !isStarting && tool.seenBy === "others" && kind !== "fetch";
  const undoMs = canUndo ? await deps.undoMs?.(run.ownerId, kind) : undefined;
  return { ...decision, grants, kind, ...omitUndefined({ undoMs: undoMs || undefined }) };
}

/**
 * Adds what the tool read to prepare the effect, and what the runs had read that wrote it. It counts
 * for this effect only, because the model has not seen it.
 */
async function withReads(
  labels: RunLabels,
  { run, labelsOfRun }: JudgeContext,
  { tool, effect, reads }: Pick<Judged, "tool" | "effect" | "reads">,
): Promise<RunLabels> {
  if (!reads) return labels;
  const { actionId } = effect;
  const read = reads.results.reduce(
    (before, { label, value }) => withResult(before, { tool: tool.name, actionId, label, value }),
    labels,
  );
  const others = reads.writers.filter(({ runId, trusted }) => !trusted && runId !== run.id);
  const written = await Promise.all(others.map(({ runId }) => labelsOfRun(runId)));
  return written.reduce((before, one) => mergeLabels(one, before), read);
}

interface JudgedByWords extends Pick<Judged, "tool" | "effect" | "context"> {
  readonly facts: EffectFacts;
  readonly view: PolicyView;
}

/** Judges again if another effect uses the asks first. */
async function judgeByWords(
  deps: JudgeDeps,
  { run, words }: JudgeContext,
  { tool, effect, context, facts, view }: JudgedByWords,
): Promise<PolicyDecision> {
  const { rootRunId, texts, readings } = await words();
  const task = { ownerId: run.ownerId, rootRunId };
  const { actionId } = effect;
  const open = await deps.askUses.open(task, readings);
  const read = readingOf(texts, open.readings);
  if (read === "unread" || tool.effectKind === undefined)
    return deps.policy(effect, { ...view, intent: "unread" });
  const used = new Set([
    ...open.crossedOut,
    ...[...open.held].flatMap(([key, holder]) => (holder === actionId ? [] : [key])),
  ]);
  const intent = await resolveIntent(read, {
    effect: tool.effectKind,
    facts,
    find: mentionsOf(tool, effect.prepared, context),
    findFiles: filesOf(tool, effect.prepared, context),
    uploads: uploadsIn(view.labels),
    contacts: new Map(
      [...view.rules.people].map((address) => [
        address,
        view.rules.contactNames.get(address) ?? "",
      ]),
    ),
    used,
    crossedOut: open.crossedOut,
  });
  for (;;) {
    const judged: PolicyView & { readonly intent: ReadIntent } = {
      ...view,
      intent: { ...intent, used, replied: repliedMails(view.denials ?? []) },
    };
    const decision = deps.policy(effect, judged);
    const keys = asksUsedBy({ tool: tool.name, seenBy: tool.seenBy, ...judged });
    if (decision.verdict === "deny" || keys.length === 0) return decision;
    if (await deps.askUses.use(task, { keys, runId: run.id, actionId }))
      return { ...decision, asks: keys };
    for (const key of keys) used.add(key);
  }
}

function filesOf({ findFiles }: Tool, prepared: JsonValue, context: ToolContext): FindFiles {
  return async (query) => (await findFiles?.(query, prepared, context)) ?? [];
}

function mentionsOf(tool: Tool, prepared: JsonValue, context: ToolContext): FindMention {
  const { findMention } = tool;
  return findMention ? (query) => findMention(query, prepared, context) : findNothing;
}

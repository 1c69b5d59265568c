import type { LanguageModelV4Message } from "@ai-sdk/provider";
import { splitTail, tokensOf } from "./context-budget.ts";
import { userMessage } from "./model-messages.ts";
import { newTaskNote } from "./new-task-note.ts";
import { olderMessagesRequest } from "./older-messages.ts";
import { systemInstruction } from "./system-instruction.ts";
import type { OwnerText } from "../intent/owner-text.ts";
import { isMessageTrusted } from "../policy/message-trust.ts";
import {
  mergeLabels,
  noLabels,
  withContext,
  withResult,
  withRunId,
  type RunLabels,
} from "../policy/run-labels.ts";
import type { Readings } from "../ports/runs/ask-uses.ts";
import type { Clock } from "../ports/clock.ts";
import type { RunHeader, RunLog } from "../ports/runs/run-log.ts";
import type { Runs } from "../ports/runs/runs.ts";
import type { ConfirmedStatement, Memory } from "../ports/memory.ts";
import type {
  OlderSummary,
  Profile,
  ThreadMessage,
  Threads,
  ThreadTail,
  TypedBefore,
} from "../ports/runs/threads.ts";
import type { Upkeep } from "../ports/runs/upkeep.ts";
import { fold } from "../run/state/fold.ts";
import type { Preamble } from "./preamble.ts";
import { readingsIn } from "../intent/read-words.ts";
import { noSkills, skillsOf, type RunSkills } from "../skill/run-skills.ts";
import { emptyRunState, type RunState } from "../run/state/run-state.ts";
import { upkeepInstruction, upkeepMessage } from "../upkeep/upkeep-run.ts";

export interface PreambleDeps {
  readonly threads: Pick<Threads, "tail" | "typedBefore" | "profile">;
  readonly runs: Pick<Runs, "get">;
  readonly log: Pick<RunLog, "read">;
  readonly memory: Pick<Memory, "confirmed">;
  readonly clock: Pick<Clock, "now">;
  /** Without it, runs have no skills. */
  readonly skills?: RunSkills;
}

/** The confirmed entries that the instruction has at most, and their share of the context. */
const maxConfirmed = 100;
const confirmedShare = 5;
/** The messages of the thread that are read at most. Those before are not summarized any more. */
const maxThreadMessages = 200;
/** What the summary of older messages takes. */
const olderTokens = 800;
const defaultContextTokens = 10_000;

/** Reads what was said before the run, and what the runs above it have read. */
export async function buildPreamble(
  deps: PreambleDeps,
  run: RunHeader,
  state: Pick<RunState, "parentRunId" | "skillSet" | "step">,
): Promise<Preamble> {
  const { threads, clock } = deps;
  const tokens = run.caps.contextTokens ?? defaultContextTokens;
  const { parentRunId } = state;
  const [parent, found, confirmed, read, typed, skills] = await Promise.all([
    parentRunId === undefined
      ? { labels: noLabels, rootRunId: run.id, readings: noReadings }
      : aboveRun(deps, run.ownerId, parentRunId),
    withFallback<Profile | undefined>(threads.profile(run.ownerId, run.bronId), undefined),
    run.memoryOn
      ? withFallback(deps.memory.confirmed(run.ownerId, run.bronId, maxConfirmed), [])
      : [],
    withFallback<ThreadTail | undefined>(
      threads.tail(run.ownerId, run.threadId, run.id, maxThreadMessages),
      undefined,
    ),
    parentRunId === undefined
      ? withFallback(threads.typedBefore(run.ownerId, run.threadId, run.id, maxTyped), [])
      : [],
    withFallback(skillsOf(deps.skills ?? noSkills, run, state), { shown: [], labels: noLabels }),
  ]);
  const profile = found && !run.memoryOn ? { ...found, aboutUser: "" } : found;
  const instruction = systemInstruction({
    profile,
    confirmed: withinTokens(confirmed, Math.floor(tokens / confirmedShare)),
    attached: run.attachedContext,
    skills: skills.shown,
    now: clock.now(),
  });
  // Without a tail, the owner wants each task to be seen alone.
  const before = run.caps.tailMessages === 0 ? undefined : read?.older;
  const { shown, toSummarize } = splitTail(
    read?.messages ?? [],
    {
      messages: run.caps.tailMessages,
      tokens: tokens - tokensOf(instruction) - olderTokens,
    },
    before?.upTo,
  );
  const dropped = run.caps.tailMessages === 0 ? [] : toSummarize;
  const history = [...shown, ...(before ? [before] : []), ...dropped];
  return {
    system: { role: "system", content: instruction },
    messages: [
      ...shown.map((message): LanguageModelV4Message =>
        message.role === "user"
          ? userMessage(message.content, message)
          : { role: "assistant", content: [{ type: "text", text: message.content }] },
      ),
      ...newTaskNote(history),
    ],
    older: before?.text,
    olderRequest: olderMessagesRequest(before, dropped),
    labels: mergeLabels(
      mergeLabels(parent.labels, skills.labels),
      contextLabels(run.attachedContext, profile, read && { shown, summary: before, dropped }),
    ),
    // A child run is judged by the words of the task that it belongs to.
    texts:
      parentRunId === undefined
        ? textsBefore(profile, typed)
        : await textsBeforeRoot(deps, run.ownerId, parent.rootRunId),
    rootRunId: parent.rootRunId,
    readings: parent.readings,
    skills: skills.shown,
  };
}

/**
 * An upkeep run sees the summary and the owner's words only, so there is nothing that it could
 * launder. Throws when the database is unreachable.
 */
export async function buildUpkeepPreamble(
  upkeep: Pick<Upkeep, "inputOf">,
  { ownerId, id }: Pick<RunHeader, "ownerId" | "id">,
): Promise<Preamble> {
  const input = await upkeep.inputOf(ownerId, id);
  return {
    system: { role: "system", content: upkeepInstruction },
    messages: input ? [userMessage(upkeepMessage(input))] : [],
    upkeep: input,
    labels: noLabels,
    texts: [],
    rootRunId: id,
    readings: noReadings,
    skills: [],
  };
}

const noReadings: Readings = new Map();

/** The first of them that fit. */
function withinTokens(
  statements: readonly ConfirmedStatement[],
  tokens: number,
): readonly ConfirmedStatement[] {
  let left = tokens;
  const tooMany = statements.findIndex(({ text }) => (left -= tokensOf(text)) < 0);
  return tooMany === -1 ? statements : statements.slice(0, tooMany);
}

async function textsBeforeRoot(
  { threads, runs }: PreambleDeps,
  ownerId: string,
  rootRunId: string,
): Promise<OwnerText[]> {
  const root = await runs.get(ownerId, rootRunId);
  if (!root) return [];
  const [profile, typed] = await Promise.all([
    threads.profile(ownerId, root.bronId),
    threads.typedBefore(ownerId, root.threadId, rootRunId, maxTyped),
  ]);
  return textsBefore(profile, typed);
}

/**
 * What the owner typed before this task: the Bron's instruction, and earlier tasks. The instruction of
 * a template or a file asks for nothing.
 */
function textsBefore(profile: Profile | undefined, typed: readonly TypedBefore[]): OwnerText[] {
  const standing = profile?.personaSource === "typed" ? profile.persona.trim() : "";
  return [
    ...newest(typed).map(({ content, ...rest }): OwnerText => ({
      when: "earlier",
      text: content,
      ...rest,
    })),
    ...(standing ? [{ when: "standing", text: standing } as const] : []),
  ];
}

/**
 * What the owner forbade stays forbidden, so the reader of their words sees far more of the
 * conversation than the model of a step.
 */
const maxTyped = 500;
/** The newest texts are read, whatever their length. */
const minTyped = 30;
const maxTypedCharacters = 100_000;

/** A reader gets no more text than a light model reads in time. */
function newest(typed: readonly TypedBefore[]): readonly TypedBefore[] {
  let characters = 0;
  const older = typed.findLastIndex(({ content }, index) => {
    characters += content.length;
    return index < typed.length - minTyped && characters > maxTypedCharacters;
  });
  return typed.slice(older + 1);
}

/**
 * Returns the root of a tree, and the current labels of the parent run and of the runs above it. They include what those
 * have read since they started the child, because labels do not say when something was read. If a
 * run had untrusted text in its thread or attachments, its words count as partly untrusted. Throws
 * when the database is unreachable.
 */
async function aboveRun(
  deps: Pick<PreambleDeps, "log">,
  ownerId: string,
  runId: string,
): Promise<Pick<Preamble, "labels" | "rootRunId" | "readings">> {
  const events = await deps.log.read({ runId, ownerId }, 0);
  const state = events.reduce(
    (before, event) => fold(before, event, Date.parse(event.createdAt)),
    emptyRunState,
  );
  const { labels, parentRunId } = state;
  const readings = readingsIn(state);
  const read = withRunId(labels, runId);
  // The parent's first message came before any tool result. If it is untrusted, the parent started
  // with untrusted text in context.
  const own = isMessageTrusted(events, "first") === false ? withContext(read, "child", "") : read;
  if (parentRunId === undefined) return { labels: own, rootRunId: runId, readings };
  const above = await aboveRun(deps, ownerId, parentRunId);
  return {
    labels: mergeLabels(above.labels, own),
    rootRunId: above.rootRunId,
    readings: new Map([...readings, ...above.readings]),
  };
}

/**
 * What a run that wrote something, and the runs above it, have read. Its words are left out, because
 * the owner typed them for another task.
 */
export async function labelsOfWriter(
  deps: Pick<PreambleDeps, "log">,
  ownerId: string,
  runId: string,
): Promise<RunLabels> {
  const { labels } = await aboveRun(deps, ownerId, runId);
  const read = { ...labels, words: "", typed: [] };
  // The log may be gone, or the run may have read nothing else than its thread.
  return read.untrusted.length === 0 ? withContext(read, "thread", "") : read;
}

/** What was said before the run, and what becomes of it. */
interface History {
  readonly shown: readonly ThreadMessage[];
  readonly summary: OlderSummary | undefined;
  readonly dropped: readonly ThreadMessage[];
}

/**
 * Attached context and imported personas were written by other people. Model messages of earlier
 * tasks that read such text are untrusted too.
 */
function contextLabels(
  attached: RunHeader["attachedContext"],
  profile: Profile | undefined,
  history: History | undefined,
): RunLabels {
  const before = personaLabels(profile);
  const labels =
    attached.length === 0
      ? before
      : withContext(
          before,
          "attached",
          attached.map((entry) => JSON.stringify(entry)),
        );
  // If the thread cannot be read now, an earlier segment of this run may still have read it.
  if (!history) return withContext(labels, "thread", "");
  const { shown, summary, dropped } = history;
  // A summary is no more trusted than what it covers, whatever a model made of it.
  const untrusted = [...dropped, ...shown]
    .filter(({ trusted }) => !trusted)
    .map(({ content }) => content)
    .concat(summary && !summary.trusted ? [summary.text] : []);
  return untrusted.length === 0 ? labels : withContext(labels, "thread", untrusted);
}

/**
 * The author of an imported persona knows it, so that it is not private, and pages may be opened as
 * after reading a page. An earlier segment may have read a persona that cannot be read now.
 */
function personaLabels(profile: Profile | undefined): RunLabels {
  if (profile && (profile.personaSource !== "imported" || profile.persona.trim() === ""))
    return noLabels;
  return withResult(noLabels, {
    tool: "",
    actionId: "",
    label: { origin: "persona", trusted: false, private: false, readers: [] },
    value: profile?.persona ?? "",
  });
}

/** A profile or thread history that cannot be read does not block a run. */
async function withFallback<T>(work: Promise<T>, fallback: T): Promise<T> {
  try {
    return await work;
  } catch {
    return fallback;
  }
}

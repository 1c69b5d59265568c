import {
  BronError,
  chosenModelIn,
  cleanContext,
  cleanText,
  contextOf,
  requestError,
  speakerOf,
  type CreatedRun,
  type EarlierMessage,
  type ModelSet,
  type Runs,
} from "@bron/core";
import {
  createRunSchema,
  formatBytes,
  isTerminal,
  lowerCaps,
  maxPromptBytes,
  mergeCaps,
  omitUndefined,
  type Caps,
  type CreateRun,
  type EffectView,
  type RunView,
} from "@bron/protocol";
import { randomUUID } from "node:crypto";
import { parseInput } from "../parse-input.ts";
import { requireModel } from "../require-model.ts";
import { findRun } from "./find-run.ts";

export interface StartRunOptions {
  readonly idempotencyKey?: string | undefined;
  readonly parentRunId?: string | undefined;
  /** Earlier messages of the conversation, for a new thread. */
  readonly earlier?: readonly EarlierMessage[] | undefined;
  /** Set if a program starts the run without speaking for the owner. See `UserMessage`. */
  readonly program?: string | undefined;
  /**
   * The caps of the input may lower those of the runtime, but not raise them. Set it for callers
   * that are not trusted.
   */
  readonly onlyLowerCaps?: boolean | undefined;
}

export interface StartRunDeps {
  readonly runs: Runs;
  /** The caps of runs whose input has none. */
  readonly caps: Caps;
  readonly modelsFor: (ownerId: string) => Promise<ModelSet>;
}

/** Throws invalid_input or too_large. */
export async function startRun(
  { runs, caps, modelsFor }: StartRunDeps,
  ownerId: string,
  input: CreateRun,
  options: StartRunOptions = {},
): Promise<CreatedRun> {
  const { idempotencyKey, parentRunId, earlier, program, onlyLowerCaps = false } = options;
  const { prompt, caps: requestedCaps, model: wanted, ...rest } = checkInput(input);
  const model = wanted === undefined ? undefined : requireModel(await modelsFor(ownerId), wanted);
  return await runs.create({
    ownerId,
    input: { prompt, ...rest, ...omitUndefined({ model }) },
    title: input.title ?? titleOf(prompt),
    caps: (onlyLowerCaps ? lowerCaps : mergeCaps)(caps, requestedCaps),
    ...omitUndefined({
      idempotencyKey,
      earlier,
      program,
      parent:
        parentRunId === undefined
          ? undefined
          : { runId: parentRunId, failureMode: "best_effort" as const },
    }),
  });
}

interface SaidToRun {
  readonly content: string;
  readonly context?: string[] | undefined;
  readonly idempotencyKey?: string | undefined;
  /** See `UserMessage`. */
  readonly program?: string | undefined;
  readonly asTyped?: true | undefined;
}

/**
 * Says something to a run. One that is under way hears it after its open calls. For one that has
 * ended, the next task of its thread starts. The same key is never said twice. Throws not_found, or
 * conflict for a child run that has ended.
 */
export async function sayToRun(
  { runs, caps }: Pick<StartRunDeps, "runs" | "caps">,
  ownerId: string,
  runId: string,
  { content, context: sent, idempotencyKey = randomUUID(), program, asTyped }: SaidToRun,
): Promise<{ readonly run: RunView; readonly isNewTask: boolean }> {
  const { prompt, context } = checkInput({ prompt: content, ...omitUndefined({ context: sent }) });
  const { parentRunId, threadId, place } = await findRun(runs, ownerId, runId);
  const message = {
    messageId: idempotencyKey,
    content: cleanText(prompt),
    ...omitUndefined({ context: cleanContext(context), program, asTyped }),
  };
  if (await runs.addMessage(ownerId, runId, message))
    return { run: await findRun(runs, ownerId, runId), isNewTask: false };
  if (parentRunId !== null) throw requestError("conflict", { code: "child_run_ended" });
  const { run } = await runs.create({
    ownerId,
    input: { prompt, threadId, ...omitUndefined({ place: place ?? undefined, context }) },
    title: titleOf(prompt),
    caps,
    idempotencyKey,
    ...omitUndefined({ program, asTyped }),
  });
  return { run, isNewTask: true };
}

/**
 * Starts the task of a finished run again, in the same thread. Results of completed calls are
 * reused when the same call is made again. An effect that was carried out, or may have been, is not
 * repeated without asking. The words stay those of a program if a program sent them, and become
 * those of a program that starts them again. Throws not_found, or conflict if the run has not ended.
 */
export async function retryRun(
  runs: Runs,
  ownerId: string,
  runId: string,
  { idempotencyKey, program }: Pick<StartRunOptions, "idempotencyKey" | "program">,
): Promise<CreatedRun> {
  const { status, prompt, title, threadId, parentRunId, place, caps } = await findRun(
    runs,
    ownerId,
    runId,
  );
  // The prompt of a child run is not the owner's own text and must not become trusted.
  if (parentRunId !== null) throw requestError("conflict", { code: "child_run_retried" });
  if (!isTerminal(status)) throw requestError("conflict", { code: "task_under_way" });
  const first = await runs.events(ownerId, runId, 0, firstEventCount);
  return await runs.create({
    ownerId,
    input: {
      prompt,
      threadId,
      context: [...contextOf(first)],
      ...omitUndefined({ place: place ?? undefined, model: chosenModelIn(first) }),
    },
    title,
    caps,
    retry: { runId, notDone: await findNotDoneActions(runs, ownerId, runId) },
    ...omitUndefined({ idempotencyKey, program }),
    ...speakerOf(first),
  });
}

/** The events of a log that say how it was started: its status and its task. */
const firstEventCount = 2;

const maxRetries = 100;

/**
 * The actions of the run, and of the runs it retried, that the owner found not to have happened.
 */
async function findNotDoneActions(runs: Runs, ownerId: string, runId: string): Promise<string[]> {
  const found: string[] = [];
  let next: string | null = runId;
  for (let tries = 0; next !== null && tries < maxRetries; tries++) {
    const [run, effects]: [RunView | undefined, EffectView[]] = await Promise.all([
      runs.get(ownerId, next),
      runs.effects(ownerId, next),
    ]);
    found.push(
      ...effects
        .filter(({ settled }) => settled?.as === "did_not_happen")
        .map(({ actionId }) => actionId),
    );
    next = run?.retryOf ?? null;
  }
  return found;
}

function checkInput(input: CreateRun) {
  const checked = parseInput(createRunSchema, input);
  const bytes = [checked.prompt, ...(checked.context ?? [])].reduce(
    (sum, text) => sum + Buffer.byteLength(text),
    0,
  );
  if (bytes > maxPromptBytes)
    throw new BronError(
      "too_large",
      `This task is too long. The limit is ${formatBytes(maxPromptBytes)}. Attach long text as a file.`,
      { details: { bytes, maxBytes: maxPromptBytes } },
    );
  if (checked.prompt.trim() === "")
    throw new BronError("invalid_input", "Describe what you want Bron to do.");
  return checked;
}

export function titleOf(prompt: string): string {
  const line = prompt.trim().split("\n", 1)[0] ?? "";
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}

import {
  type Answer,
  cardSchemas,
  omitUndefined,
  previousVersionKind,
  type EventPayloads,
  type JsonObject,
  type NewEvent,
  type NewQuestion,
} from "@bron/protocol";
import { cleanJson, cleanText } from "../context/clean-text.ts";
import { BronError, isOutage } from "../errors.ts";
import type { RunLabels } from "../policy/run-labels.ts";
import type { Artifacts } from "../ports/runs/artifacts.ts";
import type { Delta, ProgressDelta } from "../ports/model.ts";
import type { RunHeader } from "../ports/runs/run-log.ts";
import type { WrittenThingsPort } from "../ports/runs/written-things.ts";
import { noSkills, type RunSkills } from "../skill/run-skills.ts";
import { actionFailure } from "../tool/action-error.ts";
import type { EffectContext } from "../tool/tool.ts";
import type { LabeledOutput, OpenAction, RunState } from "../run/state/run-state.ts";

interface ApprovalProof {
  readonly ownerId: string;
  readonly approvalId: string;
  readonly digest: string;
}

export interface ContextDeps {
  readonly artifacts: Artifacts;
  readonly written: WrittenThingsPort;
  /** Without it, runs have no skills. */
  readonly skills?: RunSkills;
  readonly onDelta: (delta: Delta) => void;
  /** Whether the approval was given for this digest and an attempt has used it up. */
  readonly proveApproval: (proof: ApprovalProof) => Promise<boolean>;
}

export interface ContextInput {
  readonly run: RunHeader;
  /** Labels of what the run has read so far, and of the context before it. */
  readonly labels: () => Promise<RunLabels>;
  /** The long outputs of the run so far. */
  readonly keptOutputs: () => RunState["keptOutputs"];
  /** The skills that the run pinned. */
  readonly skillSet: () => RunState["skillSet"];
  /** Queues an event from a tool: a progress line, card or artifact. */
  readonly post: (event: NewEvent) => void;
  /** Does the same, and resolves once the event is in the log. */
  readonly postAndWait: (event: NewEvent) => Promise<void>;
  /** See `EffectContext`. */
  readonly ask: (
    actionId: string,
    question: NewQuestion,
    options: { readonly expiresInMs: number; readonly signal: AbortSignal },
  ) => Promise<Answer | undefined>;
}

const maxProgressCharacters = 300;

interface Call {
  readonly action: OpenAction;
  readonly attempt: number;
  readonly signal: AbortSignal;
}

/** Creates what a tool gets besides its input. */
export function createEffectContext(
  { artifacts, written, skills = noSkills, onDelta, proveApproval }: ContextDeps,
  { run, labels, keptOutputs, skillSet, post, postAndWait, ask }: ContextInput,
  { action, attempt, signal }: Call,
): EffectContext {
  // A repeated reconcile call continues from the evidence that the previous one saved.
  let evidence = action.effect?.evidence;
  return {
    runId: run.id,
    ownerId: run.ownerId,
    actionId: action.id,
    bronId: run.bronId,
    place: run.place,
    labels,
    effectId: action.effect?.id ?? action.id,
    attempt,
    maxAttachmentBytes: run.caps.attachmentBytes,
    signal,
    log: (message, level = "info") =>
      post({
        type: "log",
        payload: { level, kind: "progress", message: cleanText(message), actionId: action.id },
      }),
    reportProgress: (message) => onDelta(progressOf(run, action, message)),
    showCard: (kind, payload) => post(cardEvent(kind, payload)),
    readArtifact: (digest) => artifacts.read(run.ownerId, digest),
    writersOf: (thing) => written.writersOf(run.ownerId, thing),
    readOutput: (outputId) => readKept(artifacts, run.ownerId, keptOutputs().get(outputId)),
    async readSkill(name) {
      const pinned = skillSet()?.get(name);
      return pinned && (await skills.content(run.ownerId, pinned.digest));
    },
    async requireApproval() {
      const { effect } = action;
      if (effect && !effect.approval) return;
      const proved =
        effect?.approval &&
        (await asNotDone(
          proveApproval({
            ownerId: run.ownerId,
            approvalId: effect.approval.id,
            digest: effect.digest,
          }),
        ));
      if (!proved) throw actionFailure("effect_not_done", { code: "approval_missing" });
    },
    ask: (question, { expiresInMs }) => ask(action.id, question, { expiresInMs, signal }),
    get evidence() {
      return evidence;
    },
    async keepEvidence(found) {
      const { effect } = action;
      evidence = found;
      if (effect)
        await postAndWait({
          type: "effect",
          payload: {
            effectId: effect.id,
            actionId: action.id,
            tool: action.tool,
            state: "attempting",
            digest: effect.digest,
            evidence: found,
          },
        });
    },
    async saveArtifact(artifact) {
      const payload = await putArtifact(artifacts, run, artifact);
      post({ type: "artifact", payload });
      return { artifactId: payload.artifactId, digest: payload.digest };
    },
    async keepPrevious(artifact) {
      const payload = await putArtifact(artifacts, run, { ...artifact, kind: previousVersionKind });
      const effectId = action.effect?.id;
      await postAndWait({
        type: "artifact",
        payload: { ...payload, ...omitUndefined({ effectId }) },
      });
    },
  };
}

async function putArtifact(
  artifacts: Artifacts,
  run: RunHeader,
  artifact: Parameters<EffectContext["saveArtifact"]>[0],
): Promise<EventPayloads["artifact"]> {
  const { artifactId, digest, sizeBytes } = await artifacts.put({
    ...artifact,
    ownerId: run.ownerId,
    runId: run.id,
  });
  return {
    artifactId,
    kind: artifact.kind,
    name: cleanText(artifact.name),
    mediaType: artifact.mediaType,
    digest,
    sizeBytes,
  };
}

function progressOf(run: RunHeader, action: OpenAction, message: string): ProgressDelta {
  return {
    runId: run.id,
    step: action.step,
    kind: "progress",
    actionId: action.id,
    message: cleanText(message.slice(0, maxProgressCharacters)),
  };
}

async function readKept(
  artifacts: Pick<Artifacts, "read">,
  ownerId: string,
  kept: LabeledOutput | undefined,
): Promise<string | undefined> {
  const bytes = kept && (await artifacts.read(ownerId, kept.digest));
  return bytes && new TextDecoder().decode(bytes);
}

/** Throws invalid_arguments if the payload does not fit the card. */
function cardEvent(
  kind: Parameters<EffectContext["showCard"]>[0],
  payload: Parameters<EffectContext["showCard"]>[1],
): NewEvent {
  const parsed = cardSchemas[kind].safeParse(payload);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new BronError(
      "invalid_arguments",
      `Invalid ${kind}: ${issue?.path.join(".") || "payload"}: ${issue?.message ?? "invalid"}`,
    );
  }
  return { type: "ui", payload: { kind, payload: cleanJson(parsed.data) as JsonObject } };
}

/**
 * Reports an outage during the approval check as not done. The effect has not started, so its
 * outcome is known.
 */
async function asNotDone<T>(proof: Promise<T>): Promise<T> {
  try {
    return await proof;
  } catch (error) {
    if (!isOutage(error)) throw error;
    throw actionFailure(
      "effect_not_done",
      { code: "approval_not_checked" },
      { retryable: true, cause: error },
    );
  }
}

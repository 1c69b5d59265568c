import {
  omitUndefined,
  failureModes,
  isTerminal,
  webStatusOf,
  type EventPayloads,
  type JsonObject,
  type RunEvent,
  type RunView,
} from "@bron/protocol";
import { z } from "zod";
import { BronError } from "../errors.ts";
import type { Runs } from "../ports.ts";
import { AwaitsRun } from "./awaits-run.ts";
import { defineTool } from "./define-tool.ts";
import type { Tool } from "./tool.ts";

const maxTitleCharacters = 200;
const maxTaskCharacters = 20_000;
/** All of them: a run's caps let no log grow so long. */
const mostEvents = 1_000_000;

interface ChildRunsDeps {
  readonly runs: Pick<Runs, "create" | "get" | "events">;
}

/** Parts of a task as runs of their own: one hands a part over, the other waits for what came of it. */
export function childRunTools({ runs }: ChildRunsDeps): Tool[] {
  const ofParent = async (ownerId: string, runId: string, childId: string): Promise<RunView> => {
    const child = await runs.get(ownerId, childId);
    if (child?.parentRunId !== runId)
      throw new BronError(
        "not_found",
        `${childId} is no part of this task. Give the runId that spawn_bron gave.`,
      );
    return child;
  };
  return [
    defineTool({
      name: "spawn_bron",
      description:
        "Hands an independent part of the task to a run of its own, which works at the same time. Its task must say everything that it needs to know. Wait for it with await_bron. At most three parts; a part cannot hand on further.",
      input: z.object({
        title: z
          .string()
          .trim()
          .min(1)
          .max(maxTitleCharacters)
          .describe("A few words for the person who watches"),
        prompt: z
          .string()
          .trim()
          .min(1)
          .max(maxTaskCharacters)
          .describe("The part of the task, in full"),
        failureMode: z
          .enum(failureModes)
          .default("best_effort")
          .describe("fail_fast: without this part the whole task fails"),
        insteadOf: z
          .string()
          .optional()
          .describe(
            "The runId of a part that failed and that this one tries in a simpler way; once for each",
          ),
      }),
      label: "trusted",
      // A part belongs to the run that handed it over: one that is tried again hands over anew.
      isMomentary: true,
      repeatable: true,
      async execute({ title, prompt, failureMode, insteadOf }, { ownerId, runId, actionId }) {
        const parent = await runs.get(ownerId, runId);
        if (!parent) throw new BronError("not_found", `There is no run ${runId}.`);
        if (parent.parentRunId !== null)
          throw new BronError("forbidden", "A part of a task cannot hand on further. Do it here.");
        // What parts spend is not charged to the whole, so that a cap on the whole would not hold.
        if (parent.caps.costMicrousd !== undefined)
          throw new BronError(
            "forbidden",
            "This task has a money cap of its own, and cannot hand parts over. Do it here.",
          );
        const events = await runs.events(ownerId, runId, 0, mostEvents);
        const parts = partsIn(events);
        // After a crash the same call is made again, and gets the same run.
        const isKnown = [...parts.values()].some(({ spawnedBy }) => spawnedBy === actionId);
        if (!isKnown && insteadOf !== undefined) checkFallback(parts, insteadOf);
        const caps = { ...parent.caps, children: 0 };
        const child = await runs.create({
          ownerId,
          input: { prompt, bronId: parent.bronId },
          title,
          caps,
          idempotencyKey: `part ${actionId}`,
          parent: {
            runId,
            actionId,
            trusted: wroteFreely(events),
            failureMode,
            most: parent.caps.children,
            ...omitUndefined({ insteadOf }),
          },
        });
        return { runId: child.id, title: child.title };
      },
    }),
    defineTool({
      name: "await_bron",
      description:
        "Waits until a part that spawn_bron handed over is over, and gives {status, summary, result}. If it failed, say what failed and what you did about it; what it would have brought is unknown.",
      input: z.object({ runId: z.string().min(1).max(100) }),
      label: {
        origin: "child",
        isTrusted: (output) =>
          typeof output === "object" &&
          output !== null &&
          !Array.isArray(output) &&
          output["trusted"] === true,
      },
      isMomentary: true,
      repeatable: true,
      parallelSafe: true,
      async execute({ runId: childId }, { ownerId, runId }) {
        const child = await ofParent(ownerId, runId, childId);
        if (!isTerminal(child.status)) throw new AwaitsRun(child.id);
        return resultOf(child, await runs.events(ownerId, child.id, 0, mostEvents));
      },
    }),
  ];
}

/** Whether the model had nothing but the owner's words in view when it last spoke. */
function wroteFreely(events: readonly RunEvent[]): boolean {
  const last = events.findLast(
    (event) => event.type === "message" && event.payload.role === "assistant",
  );
  return last?.type === "message" && last.payload.trusted === true;
}

type Parts = ReadonlyMap<string, EventPayloads["child_run"]>;

/** By the log of the whole: the last word on each, with what the first one said. */
function partsIn(events: readonly RunEvent[]): Parts {
  const parts = new Map<string, EventPayloads["child_run"]>();
  for (const event of events)
    if (event.type === "child_run")
      parts.set(event.payload.childRunId, {
        ...parts.get(event.payload.childRunId),
        ...event.payload,
      });
  return parts;
}

function checkFallback(parts: Parts, insteadOf: string): void {
  if (parts.get(insteadOf)?.status !== "failed")
    throw new BronError("invalid_arguments", "insteadOf: no part with this runId has failed.");
  if ([...parts.values()].some((part) => part.insteadOf === insteadOf))
    throw new BronError(
      "invalid_arguments",
      "insteadOf: this part was tried in another way already. Go on without it, and say what is unknown.",
    );
}

/** What it brought; what it did not is named. Trusted only if nothing of others was in view when it was written. */
function resultOf(
  { id, status, summary, error, notDone }: RunView,
  events: readonly RunEvent[],
): JsonObject {
  const answer = events.findLast(
    (event) =>
      event.type === "message" && event.payload.role === "assistant" && event.payload.final,
  );
  const trusted =
    status === "completed" &&
    answer?.type === "message" &&
    answer.payload.role === "assistant" &&
    answer.payload.trusted === true;
  const files = events.flatMap((event) =>
    event.type === "artifact"
      ? [
          {
            filename: event.payload.name,
            digest: event.payload.digest,
            mediaType: event.payload.mediaType,
          },
        ]
      : [],
  );
  return {
    runId: id,
    status: webStatusOf[status],
    summary: summary ?? "unknown",
    result: { answer: summary, files, ...(notDone > 0 ? { notDone } : {}) },
    ...(error
      ? { error: { code: error.code, message: error.message } }
      : status === "canceled"
        ? { error: { message: "It was stopped." } }
        : {}),
    trusted,
  };
}

import {
  omitUndefined,
  type EventPayloads,
  type NewEvent,
  type RunEvent,
  type UserMessage,
} from "@bron/protocol";
import { cleanText } from "../../context/clean-text.ts";
import type { NewRun } from "../../ports/runs/runs.ts";

/** Why a run exists, if the owner did not ask for it directly. */
interface Origin extends Pick<NewRun, "program" | "asTyped" | "kind"> {
  readonly retry?: NewRun["retry"] | undefined;
  readonly parent?: NewRun["parent"] | undefined;
  readonly input: Pick<NewRun["input"], "model" | "place" | "context">;
}

/** The events with which the log of a run begins: its status, its prompt, its place and its files. */
export function firstEvents(
  { kind, retry, parent, program, asTyped, input: { model, place, context } }: Origin,
  prompt: string,
  files: readonly EventPayloads["artifact"][],
): NewEvent[] {
  return [
    {
      type: "status",
      payload: {
        status: "queued",
        ...omitUndefined({ retry }),
        ...(parent ? { parentRunId: parent.runId } : {}),
        ...omitUndefined({ model }),
        ...(parent?.tools ? { allowedTools: [...parent.tools] } : {}),
        ...omitUndefined({ kind }),
      },
    },
    {
      type: "message",
      payload: {
        role: "user",
        content: prompt,
        ...omitUndefined({ context: cleanContext(context), program, asTyped }),
        ...(parent ? { from: "parent", trusted: isTrustedPrompt({ parent }) } : {}),
      },
    },
    ...(place ? [{ type: "place" as const, payload: { place } }] : []),
    ...files.map((payload) => ({ type: "artifact" as const, payload })),
  ];
}

/** Undefined if there is none. */
export function cleanContext(
  context: readonly string[] | undefined,
): readonly string[] | undefined {
  return context && context.length > 0 ? context.map(cleanText) : undefined;
}

/**
 * The owner's prompt is trusted, a program's is not. A parent run says whether the one that it wrote
 * is.
 */
export function isTrustedPrompt({ parent, program }: Pick<Origin, "parent" | "program">): boolean {
  return parent === undefined ? program === undefined : parent.trusted === true;
}

/** The model that was chosen for a run when it was created. */
export function chosenModelIn(events: readonly RunEvent[]): string | undefined {
  return events.find((event) => event.type === "status")?.payload.model;
}

/** The texts that came with the task. */
export function contextOf(events: readonly NewEvent[]): readonly string[] {
  return taskOf(events)?.context ?? [];
}

/** Whose words the task of a run is, for a run that starts it again. */
export function speakerOf(events: readonly NewEvent[]): Pick<NewRun, "program" | "asTyped"> {
  const { program, asTyped } = taskOf(events) ?? {};
  return omitUndefined({ program, asTyped });
}

function taskOf(events: readonly NewEvent[]): UserMessage | undefined {
  const task = events.find((event) => event.type === "message")?.payload;
  return task?.role === "user" ? task : undefined;
}

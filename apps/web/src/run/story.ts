import { webStatusOf, type Card, type EventView, type JsonValue, type RunStatus } from "@bron/protocol";
import { shown } from "./shown.ts";

/** A run as a person reads it: one item for each thing that happened, in order. */
export type Item =
  | { readonly kind: "user"; readonly key: string; readonly text: string }
  | { readonly kind: "answer"; readonly key: string; readonly text: string; readonly isFinal: boolean }
  | { readonly kind: "tool"; readonly key: string; readonly tool: string; readonly input: JsonValue; readonly state: ToolState; readonly output?: JsonValue; readonly error?: string }
  | { readonly kind: "card"; readonly key: string; readonly card: Card }
  | { readonly kind: "line"; readonly key: string; readonly text: string; readonly level: "info" | "warn" | "error" }
  | { readonly kind: "file"; readonly key: string; readonly name: string; readonly digest: string; readonly sizeBytes: number };

export type ToolState = "running" | "completed" | "failed" | "rejected" | "canceled" | "unknown";

export interface Story {
  readonly items: readonly Item[];
  readonly status: RunStatus;
  readonly seq: number;
  readonly cancelRequested: boolean;
  /** What tools were asked for, by action. */
  readonly inputs: ReadonlyMap<string, JsonValue>;
}

export const emptyStory: Story = { items: [], status: "queued", seq: 0, cancelRequested: false, inputs: new Map() };

export function isRunning(story: Story): boolean {
  return webStatusOf[story.status] === "running" || story.status === "queued";
}

/** The next event; one that is known already changes nothing. */
export function tell(story: Story, event: EventView): Story {
  if (event.seq <= story.seq) return story;
  // Here and nowhere else, so that no part of the page can forget it.
  return { ...telling(story, shown(event)), seq: event.seq };
}

function telling(story: Story, event: EventView): Story {
  const key = String(event.seq);
  const add = (item: Item): Story => ({ ...story, items: [...story.items, item] });
  switch (event.type) {
    case "status":
      return { ...story, status: event.payload.status };
    case "message":
      if (event.payload.role === "user") return add({ kind: "user", key, text: event.payload.content });
      return event.payload.content === "" ? story : add({ kind: "answer", key, text: event.payload.content, isFinal: event.payload.final });
    case "step": {
      if (event.payload.phase === "start") return { ...story, status: "planning" };
      const inputs = new Map(story.inputs);
      for (const { actionId, input } of event.payload.calls) inputs.set(actionId, input);
      return { ...story, inputs };
    }
    case "tool": {
      const { actionId, name } = event.payload;
      const known = story.items.findLastIndex((item) => item.kind === "tool" && item.key === actionId);
      const input = story.inputs.get(actionId) ?? null;
      const item: Item =
        event.payload.phase === "start"
          ? { kind: "tool", key: actionId, tool: name, input, state: "running" }
          : { kind: "tool", key: actionId, tool: name, input, state: event.payload.outcome, ...(event.payload.output === undefined ? {} : { output: event.payload.output }), ...(event.payload.error ? { error: event.payload.error.message } : {}) };
      const status = event.payload.phase === "start" ? ("executing" as const) : story.status;
      return { ...story, status, items: known === -1 ? [...story.items, item] : story.items.with(known, item) };
    }
    case "ui":
      return add({ kind: "card", key, card: event.payload as Card });
    case "log":
      return add({ kind: "line", key, text: event.payload.message, level: event.payload.level });
    case "artifact":
      return add({ kind: "file", key, name: event.payload.name, digest: event.payload.digest, sizeBytes: event.payload.sizeBytes });
    case "cancel":
      return { ...story, cancelRequested: true };
    case "auth":
    case "approval":
    case "effect":
    case "usage":
    case "child_run":
      return story;
  }
}

import type { Tool } from "@bron/core";
import {
  omitUndefined,
  type ActionView,
  type EffectView,
  type EventView,
  type JsonValue,
  type RunEvent,
} from "@bron/protocol";
import { editableOf } from "./editable.ts";
import { splitView } from "./split-view.ts";

const maxCharacters = 20_000;

/**
 * The public view of an event: omits what only the model may read, and truncates very long values.
 * An effect that waits for approval is complete, because the owner decides on exactly its form.
 */
export function toEventView(event: RunEvent, tools: ReadonlyMap<string, Tool>): EventView {
  const { runId, seq, createdAt, type } = event;
  const payload = { ...toPayload(event, tools), ...omitUndefined({ split: splitView(event) }) };
  return { runId, seq, createdAt, type, payload } as EventView;
}

export function toPublicAction(action: ActionView): ActionView {
  return { ...action, input: truncate(action.input), output: shownOutput(action) };
}

export function toPublicEffect(effect: EffectView): EffectView {
  return { ...effect, outcome: truncate(effect.outcome) };
}

function toPayload(event: RunEvent, tools: ReadonlyMap<string, Tool>): EventView["payload"] {
  switch (event.type) {
    case "message": {
      if (event.payload.role === "user") return event.payload;
      const { parts: _, ...shown } = event.payload;
      return shown;
    }
    case "tool":
      return event.payload.phase === "end" && event.payload.output !== undefined
        ? {
            ...event.payload,
            output: shownOutput({ ...event.payload, output: event.payload.output }),
          }
        : event.payload;
    case "step":
      return event.payload.phase === "end"
        ? {
            ...event.payload,
            calls: event.payload.calls.map((call) => ({ ...call, input: truncate(call.input) })),
          }
        : event.payload;
    case "effect": {
      const { state, tool, prepared, outcome } = event.payload;
      if (state === "awaiting_confirmation" && prepared !== undefined)
        return {
          ...event.payload,
          ...omitUndefined({ editable: editableOf(tools, { tool, prepared }) }),
        };
      return {
        ...event.payload,
        ...omitUndefined({
          prepared: prepared === undefined ? undefined : truncate(prepared),
          outcome: outcome === undefined ? undefined : truncate(outcome),
        }),
      };
    }
    case "client_action": {
      const { secretHash: _, takenBy: __, input, result, ...shown } = event.payload;
      return {
        ...shown,
        ...omitUndefined({
          input: input === undefined ? undefined : truncate(input),
          result: result === undefined ? undefined : truncate(result),
        }),
      };
    }
    default:
      return event.payload;
  }
}

/** A preview says itself what it leaves out. */
function shownOutput({ output, kept }: Pick<ActionView, "output" | "kept">): JsonValue {
  return kept ? output : truncate(output);
}

/** Truncates long values. A value that is not a string becomes the beginning of its JSON. */
function truncate(value: JsonValue): JsonValue {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  if (text.length <= maxCharacters) return value;
  return `${text.slice(0, maxCharacters).toWellFormed()}\n[truncated: ${text.length} characters in total]`;
}

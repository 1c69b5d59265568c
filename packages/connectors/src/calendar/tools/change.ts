import {
  defineTool,
  type AccountReader,
  type MentionQuery,
  type Tool,
  type ToolContext,
} from "@bron/core";
import type { CalendarDeps } from "../calendar-deps.ts";
import { eventEditing } from "../edit-event.ts";
import { eventFacts, updateFacts } from "../event-facts.ts";
import { findEventMention } from "../find-mention.ts";
import { createInput, updateInput } from "../event-input.ts";
import type { PreparedEvent } from "../prepared-event.ts";
import type { PreparedUpdate } from "../prepared-update.ts";

const common = { group: "calendar", sideEffect: true } as const;

const wordsOf = (deps: CalendarDeps) => ({
  findMention: (query: MentionQuery, prepared: PreparedEvent, context: ToolContext) =>
    findEventMention(deps, query, prepared, context),
  background: async (prepared: PreparedEvent, reader: AccountReader) =>
    await (await import("../read-schedule.ts")).readSchedule(deps, prepared, reader),
});

/** Loaded on first use, because the time zone code is large. */
const changes = () => import("../change-events.ts");
const edits = () => import("../plan-edited.ts");

export function eventCreateTool(deps: CalendarDeps, name: string): Tool {
  return defineTool({
    ...common,
    ...wordsOf(deps),
    effectKind: "create_event",
    facts: eventFacts,
    // The output repeats what was prepared here.
    label: "trusted",
    timeoutMs: deps.times.eventMs,
    name,
    description:
      "Adds an event to the user's calendar and invites its guests. The user sees exactly what will be added and who will be notified, and approves or denies it.",
    input: createInput,
    prepare: async (input, context) => await (await changes()).planInsert(deps, input, context),
    editing: eventEditing<PreparedEvent>(
      true,
      async (prepared, input, context) =>
        await (await edits()).planEditedInsert(deps, prepared, input, context),
    ),
    execute: async (prepared: PreparedEvent, context) =>
      await (await changes()).insertEvent(deps, prepared, context),
    reconcile: async (prepared, context) =>
      await (await changes()).reconcileInsert(deps, prepared, context),
  });
}

export function eventUpdateTool(deps: CalendarDeps, name: string): Tool {
  return defineTool({
    ...common,
    ...wordsOf(deps),
    effectKind: "change_event",
    facts: updateFacts,
    label: { origin: "calendar" },
    timeoutMs: deps.times.eventMs,
    name,
    description:
      "Changes only the given fields of an event in the user's calendar. The user sees the changes and who will be notified, and approves or denies them.",
    input: updateInput,
    prepare: async (input, context) => await (await changes()).planUpdate(deps, input, context),
    editing: eventEditing<PreparedUpdate>(
      false,
      async (prepared, input, context) =>
        await (await edits()).planEditedUpdate(deps, prepared, input, context),
    ),
    execute: async (prepared: PreparedUpdate, context) =>
      await (await changes()).patchEvent(deps, prepared, context),
    reconcile: async (prepared, context) =>
      await (await changes()).reconcilePatch(deps, prepared, context),
    restore: async (prepared, previous, context) =>
      await (
        await import("../restore-event.ts")
      ).restoreEvent(deps, prepared, {
        ...context,
        previous,
      }),
  });
}

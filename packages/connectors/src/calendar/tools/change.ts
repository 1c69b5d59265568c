import { defineTool, type Tool } from "@bron/core";
import type { CalendarDeps } from "../calendar-deps.ts";
import { eventEditing } from "../edit-event.ts";
import { eventFacts } from "../event-facts.ts";
import { createInput, updateInput } from "../event-input.ts";
import type { PreparedEvent } from "../prepared-event.ts";
import type { PreparedUpdate } from "../prepared-update.ts";

const common = { group: "calendar", sideEffect: true, facts: eventFacts } as const;

/** Loaded with the first use: reckoning with time zones is large. */
const changes = () => import("../change-events.ts");
const edits = () => import("../plan-edited.ts");

export function eventCreateTool(deps: CalendarDeps, name: string): Tool {
  return defineTool({
    ...common,
    // What is entered is what was prepared here.
    label: "trusted",
    timeoutMs: deps.times.eventMs,
    name,
    description:
      "Enters an event into the owner's calendar and invites its guests. A person is shown exactly what would be entered and who hears of it, and decides.",
    input: createInput,
    prepare: async (wish, context) => await (await changes()).planInsert(deps, wish, context),
    editing: eventEditing<PreparedEvent>(
      true,
      async (prepared, wish, context) =>
        await (await edits()).planEditedInsert(deps, prepared, wish, context),
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
    label: { origin: "calendar" },
    timeoutMs: deps.times.eventMs,
    name,
    description:
      "Changes an event of the owner's calendar: only what is given. A person is shown the difference and who hears of it, and decides.",
    input: updateInput,
    prepare: async (wish, context) => await (await changes()).planUpdate(deps, wish, context),
    editing: eventEditing<PreparedUpdate>(
      false,
      async (prepared, wish, context) =>
        await (await edits()).planEditedUpdate(deps, prepared, wish, context),
    ),
    execute: async (prepared: PreparedUpdate, context) =>
      await (await changes()).patchEvent(deps, prepared, context),
    reconcile: async (prepared, context) =>
      await (await changes()).reconcilePatch(deps, prepared, context),
  });
}

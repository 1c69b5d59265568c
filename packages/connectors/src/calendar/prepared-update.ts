import { actionFailure } from "@bron/core";
import { omitUndefined } from "@bron/protocol";
import type { calendar_v3 } from "@googleapis/calendar";
import type { z } from "zod";
import { seriesUid, toChangedOccurrences, type ChangedOccurrence } from "./changed-occurrences.ts";
import { describeUpdate } from "./describe-update.ts";
import { diffEvent, toPatch, type EventDiff } from "./diff-event.ts";
import { markWith, newMark } from "./effect-mark.ts";
import type { updateInput } from "./event-input.ts";
import { guestsAffected, otherViewers } from "./guests-affected.ts";
import type { PreparedEvent } from "./prepared-event.ts";
import { textOfOthers, type EventText } from "./text-of-others.ts";
import type { EventToChange } from "./read-events.ts";

/** Carried out only if the event is still as the owner saw it. */
export interface PreparedUpdate extends PreparedEvent {
  etag: string;
  /** UID of a series. Empty for a single event and for one occurrence. */
  iCalUID: string;
  /**
   * Changed occurrences of a series, because changing one does not change the etag of the series.
   */
  occurrences: ChangedOccurrence[];
  /**
   * The requested changes of the guest list and the rule, without their current values, which may
   * differ by the time of an edit.
   */
  asked: { addGuests: string[]; removeGuests: string[]; recurrence?: string };
  /**
   * Those of `guests` who see the change without being on the list that the owner sees: see
   * `otherViewers`. Missing in forms of earlier versions.
   */
  viewers?: string[];
  /** What the event says already and new guests get to read. See `textOfOthers`. */
  existing?: EventText;
  /** The title before the change. Missing in forms of earlier versions. */
  title?: string;
}

interface Known extends EventToChange {
  readonly account: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Throws invalid_arguments if the change is impossible or changes nothing. */
export function prepareUpdate(
  input: z.output<typeof updateInput>,
  known: Known,
): { prepared: PreparedUpdate; preview: string } {
  checkChangeable(known.event);
  const diff = diffEvent(input, known.event, known);
  const prepared = toPrepared(input, known, diff);
  return { prepared, preview: describeUpdate(known, diff, prepared) };
}

function toPrepared(
  input: z.output<typeof updateInput>,
  { account, event, occurrences }: Known,
  diff: EventDiff,
): PreparedUpdate {
  const mark = newMark();
  const guests = guestsAffected(event, diff.attendees, occurrences);
  return {
    account,
    calendarId: input.calendarId,
    eventId: event.id ?? input.eventId,
    etag: event.etag ?? "",
    iCalUID: seriesUid(event),
    title: event.summary ?? "",
    occurrences: toChangedOccurrences(occurrences),
    asked: {
      addGuests: input.addGuests,
      removeGuests: input.removeGuests,
      ...omitUndefined({ recurrence: input.recurrence }),
    },
    mark,
    guests,
    viewers: otherViewers(event),
    ...omitUndefined({
      existing: textOfOthers(event, diff, { account, calendarId: input.calendarId }),
    }),
    notify: input.notifyGuests && guests.length > 0,
    known: [],
    event: { ...toPatch(diff), extendedProperties: { private: markWith(mark, event) } },
  };
}

/** Checks this before the owner is asked, because Google would reject the change afterwards. */
function checkChangeable({ organizer, guestsCanModify, locked }: calendar_v3.Schema$Event): void {
  const isTheirs = organizer?.email && organizer.self !== true && guestsCanModify !== true;
  if (isTheirs || locked === true)
    throw actionFailure("forbidden", {
      code: "organizer_only",
      ...omitUndefined({ organizer: organizer?.displayName ?? organizer?.email ?? undefined }),
    });
}

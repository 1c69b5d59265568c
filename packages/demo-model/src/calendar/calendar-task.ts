import type { DayWish } from "../when/day-wish.ts";
import type { HourSpan } from "../when/take-hours.ts";
import type { EmailRequest } from "../workspace/take-email-request.ts";

export type EventChange =
  /** A day or hour that is not named stays the same. */
  | { readonly kind: "move"; readonly days?: DayWish; readonly hours?: HourSpan }
  | { readonly kind: "shift"; readonly minutes: number }
  | { readonly kind: "rename"; readonly title: string }
  | {
      readonly kind: "guests";
      readonly add: readonly string[];
      readonly remove: readonly string[];
    };

/**
 * agenda: list events. find: when an event takes place. free: the gaps, or whether a time is free.
 * enter, change: one event. refused: an unsupported request.
 */
export type CalendarTask = { readonly area: "calendar" } & (
  | {
      readonly kind: "agenda";
      readonly days: DayWish;
      readonly hours?: Required<HourSpan>;
      readonly words: readonly string[];
      readonly emailRequest: EmailRequest;
    }
  | { readonly kind: "find"; readonly words: readonly string[] }
  | {
      readonly kind: "free";
      readonly days: DayWish;
      readonly window?: Required<HourSpan>;
      readonly at?: HourSpan;
      readonly length?: number;
      readonly emailRequest: EmailRequest;
    }
  | EnterTask
  | ChangeTask
  | { readonly kind: "refused"; readonly why: "cancel" | "series" }
);

export interface EnterTask {
  readonly kind: "enter";
  readonly title: string;
  readonly days?: DayWish;
  readonly hours?: HourSpan;
  /** Minutes; 1,440 for whole days. */
  readonly length?: number;
  /** The addresses of the guests. */
  readonly guests: readonly string[];
  readonly guestsWithoutAddress: readonly string[];
}

export interface ChangeTask {
  readonly kind: "change";
  /** Words of the event's title or people. */
  readonly words: readonly string[];
  /** The current day of the event. */
  readonly days?: DayWish;
  readonly change: EventChange;
}

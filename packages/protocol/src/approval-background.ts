import { z } from "zod";

const text = z.string();

const answeredEmailSchema = z.object({
  kind: z.literal("answered_email"),
  from: text,
  date: text,
  subject: text,
  /** The beginning of it. `isShortened` says whether there is more. */
  text,
  isShortened: z.boolean(),
});

const nearbyEventSchema = z.object({
  title: text,
  /** A time with its offset, or a day. */
  start: text,
  /** A time with its offset, or the last day. */
  end: text,
  /** It is at the same time as the event that is to be approved. */
  clashes: z.boolean(),
});

const scheduleSchema = z.object({
  kind: z.literal("schedule"),
  timeZone: text,
  /** The events of that day, in order. */
  events: z.array(nearbyEventSchema),
  /** Set if there is a clash, and a free slot of the same length later that day. */
  nextFree: z.object({ start: text, end: text }).nullable(),
});

/**
 * What the owner may want to see beside an approval: the email that is answered, or what else the
 * calendar has. It is read from the account when the approval is shown, so it is as recent as that,
 * and it is not part of what is approved. Others wrote most of it.
 */
export const approvalBackgroundSchema = z.discriminatedUnion("kind", [
  answeredEmailSchema,
  scheduleSchema,
]);
export type ApprovalBackground = z.infer<typeof approvalBackgroundSchema>;
export type NearbySchedule = z.infer<typeof scheduleSchema>;

import type { PostedMessage } from "../../slack/state/slack-entry.ts";
import type { EventResource } from "../calendar/event-resource.ts";

/** A call that Google or Slack received, whatever became of it. */
export interface RecordedCall {
  readonly seq: number;
  /** ISO 8601. */
  readonly time: string;
  /** As Google names it, "gmail.users.drafts.send", or "slack." and Slack's name; "" for a path that nothing serves. */
  readonly method: string;
  readonly verb: string;
  readonly path: string;
  readonly account?: string;
  readonly bodyBytes: number;
  /** SHA-256 in hex. */
  readonly bodyDigest: string;
  readonly status?: number;
  /** "cut": the connection ended without an answer. */
  readonly ending: "open" | "answered" | "cut";
  /** The fault that it met, in words. */
  readonly fault?: string;
  /** What it changed, even if its answer said otherwise. */
  readonly effects: readonly string[];
}

/** A mail that really left. */
export interface SentMail {
  /** The call that sent it; none if the owner did it by hand. */
  readonly call?: number;
  readonly by: "app" | "owner";
  readonly time: string;
  readonly account: string;
  /** As it was handed in, before Google put its own headers in. Base64. */
  readonly raw: string;
  readonly subject: string;
  readonly recipients: {
    readonly to: readonly string[];
    readonly cc: readonly string[];
    readonly bcc: readonly string[];
    /** Everybody who got it, each once. */
    readonly envelope: readonly string[];
    /** Those of the envelope who have no mailbox in this world. */
    readonly outside: readonly string[];
  };
  readonly threadId: string;
  readonly draftId?: string;
  readonly messageId: string;
  /** The Message-ID header that it left with, without brackets. */
  readonly rfc822MessageId: string;
}

/** As the journal has it: the bytes lie beside it. */
export type StoredSentMail = Omit<SentMail, "raw"> & { readonly rawDigest: string };

/** A mail of Google's about an event. */
export interface RecordedInvitation {
  readonly to: string;
  readonly method: "REQUEST" | "CANCEL" | "REPLY";
  readonly subject: string;
  /** The guest has no mailbox in this world: it left. */
  readonly isOutside: boolean;
  /** Base64. */
  readonly raw: string;
}

export type StoredInvitation = Omit<RecordedInvitation, "raw"> & { readonly rawDigest: string };

/** A change of a calendar that really happened. The copies of guests follow it and are not named. */
export interface RecordedCalendarChange {
  /** The call that made it; none if the owner did it by hand. */
  readonly call?: number;
  readonly by: "app" | "owner";
  readonly time: string;
  readonly account: string;
  readonly calendarId: string;
  readonly eventId: string;
  readonly kind: "inserted" | "patched" | "deleted";
  /** As it was afterwards, in that calendar. */
  readonly event: EventResource;
  /** Addresses that got mail about it. */
  readonly notified: readonly string[];
  readonly invitations: readonly RecordedInvitation[];
}

export type StoredCalendarChange = Omit<RecordedCalendarChange, "invitations"> & {
  readonly invitations: readonly StoredInvitation[];
};

export interface SimulatorRecord {
  /** Oldest first. Reads are forgotten by a restart, and when there are more than 5,000. */
  readonly calls: readonly RecordedCall[];
  readonly sent: readonly SentMail[];
  readonly calendar: readonly RecordedCalendarChange[];
  /** What apps put into Slack. */
  readonly posted: readonly PostedMessage[];
}

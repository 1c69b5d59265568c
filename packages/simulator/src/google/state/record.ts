import type { PostedMessage } from "../../slack/state/slack-entry.ts";
import type { EventResource } from "../calendar/event-resource.ts";

/** A call that Google or Slack received, with any outcome. */
export interface RecordedCall {
  readonly seq: number;
  /** ISO 8601. */
  readonly time: string;
  /**
   * Google's method name such as "gmail.users.drafts.send", or "slack." and Slack's name. Empty for
   * an unknown path.
   */
  readonly method: string;
  readonly verb: string;
  readonly path: string;
  readonly account?: string;
  readonly bodyBytes: number;
  /** SHA-256 in hex. */
  readonly bodyDigest: string;
  readonly status?: number;
  /** "cut" means that the connection ended without a response. */
  readonly ending: "open" | "answered" | "cut";
  /** A description of the fault that the call hit. */
  readonly fault?: string;
  /** The changes that the call made, even if its response reported an error. */
  readonly effects: readonly string[];
}

/** A mail that was sent. */
export interface SentMail {
  /** The call that sent it. Absent if the owner sent it in another client. */
  readonly call?: number;
  readonly by: "app" | "owner";
  readonly time: string;
  readonly account: string;
  /** The submitted message before Google added its headers. Base64. */
  readonly raw: string;
  readonly subject: string;
  readonly recipients: {
    readonly to: readonly string[];
    readonly cc: readonly string[];
    readonly bcc: readonly string[];
    /** All recipients without duplicates. */
    readonly envelope: readonly string[];
    /** Recipients of the envelope without a mailbox here. */
    readonly outside: readonly string[];
  };
  readonly threadId: string;
  readonly draftId?: string;
  readonly messageId: string;
  /** The Message-ID header as sent, without brackets. */
  readonly rfc822MessageId: string;
}

/** The journal's form of a sent mail. The bytes are stored separately. */
export type StoredSentMail = Omit<SentMail, "raw"> & { readonly rawDigest: string };

/** An email of Google Calendar about an event. */
interface RecordedInvitation {
  readonly to: string;
  readonly method: "REQUEST" | "CANCEL" | "REPLY";
  readonly subject: string;
  /** True if the guest has no mailbox here, so the email left the simulator. */
  readonly isOutside: boolean;
  /** Base64. */
  readonly raw: string;
}

export type StoredInvitation = Omit<RecordedInvitation, "raw"> & { readonly rawDigest: string };

/** A change of a calendar. The copies of guests follow it and are not listed. */
export interface RecordedCalendarChange {
  /** The call that made it. Absent if the owner made it in another client. */
  readonly call?: number;
  readonly by: "app" | "owner";
  readonly time: string;
  readonly account: string;
  readonly calendarId: string;
  readonly eventId: string;
  readonly kind: "inserted" | "patched" | "deleted";
  /** The event in that calendar after the change. */
  readonly event: EventResource;
  /** Addresses that were notified. */
  readonly notified: readonly string[];
  readonly invitations: readonly RecordedInvitation[];
}

export type StoredCalendarChange = Omit<RecordedCalendarChange, "invitations"> & {
  readonly invitations: readonly StoredInvitation[];
};

export interface SimulatorRecord {
  /** Oldest first. Reads are dropped on restart and beyond 5,000 calls. */
  readonly calls: readonly RecordedCall[];
  readonly sent: readonly SentMail[];
  readonly calendar: readonly RecordedCalendarChange[];
  /** Messages that apps posted to Slack. */
  readonly posted: readonly PostedMessage[];
}

import type { SlackEntry } from "../../slack/state/slack-entry.ts";
import type { StoredEvent } from "../calendar/stored-event.ts";
import type { StoredCalendarChange, StoredSentMail } from "./record.ts";

/**
 * A change of the simulator as plain data. The journal stores entries, and the state is a fold over
 * them.
 */
export type Entry =
  | MailEntry
  | GrantEntry
  | SettingsEntry
  | CalendarEntry
  | { readonly type: "sent"; readonly mail: StoredSentMail }
  | { readonly type: "slack"; readonly entry: SlackEntry };

export type MailEntry =
  | {
      readonly type: "message";
      readonly account: string;
      readonly id: string;
      readonly threadId: string;
      readonly labelIds: readonly string[];
      readonly internalDate: number;
      /** Lists and searches omit the message before this time. */
      readonly visibleAt: number;
      readonly sizeBytes: number;
      readonly rawDigest: string;
    }
  | {
      readonly type: "labels";
      readonly account: string;
      readonly id: string;
      readonly labelIds: readonly string[];
    }
  | { readonly type: "removed"; readonly account: string; readonly id: string }
  /** Without a message the draft is deleted. */
  | {
      readonly type: "draft";
      readonly account: string;
      readonly draftId: string;
      readonly messageId?: string;
    };

type CalendarEntry =
  /** Replaces the event with the same id. */
  | { readonly type: "event"; readonly calendarId: string; readonly event: StoredEvent }
  | { readonly type: "calendar"; readonly change: StoredCalendarChange };

/** Tokens are stored as digests. */
export type GrantEntry =
  | {
      readonly type: "grant";
      readonly grantId: string;
      readonly account: string;
      readonly scopes: readonly string[];
      readonly refreshDigest?: string;
    }
  | {
      readonly type: "access";
      readonly grantId: string;
      readonly digest: string;
      readonly scopes: readonly string[];
      readonly expiresAt: number;
    }
  | { readonly type: "access-expired" }
  | { readonly type: "revoked"; readonly grantId: string };

export interface Settings {
  readonly sentLagMs: number;
  readonly accessTokenSeconds: number;
  /** Gmail replaces the Message-ID of sent mail. "keep" leaves the sender's. */
  readonly messageIds: "replace" | "keep";
}

interface SettingsEntry {
  readonly type: "settings";
  readonly change: Partial<Settings>;
}

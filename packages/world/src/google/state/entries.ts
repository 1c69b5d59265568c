import type { SlackEntry } from "../../slack/state/slack-entry.ts";
import type { StoredEvent } from "../calendar/stored-event.ts";
import type { StoredCalendarChange, StoredSentMail } from "./record.ts";

/** What changes the world, as plain data: the journal keeps these, and the state is a fold over them. */
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
      /** Lists and searches leave it out before. */
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
  /** Without a message the draft is gone. */
  | {
      readonly type: "draft";
      readonly account: string;
      readonly draftId: string;
      readonly messageId?: string;
    };

type CalendarEntry =
  /** Takes the place of the one with its id. */
  | { readonly type: "event"; readonly calendarId: string; readonly event: StoredEvent }
  | { readonly type: "calendar"; readonly change: StoredCalendarChange };

/** Tokens are known by their digests. */
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
  /** Gmail gives what is sent a Message-ID of its own; "keep" leaves the sender's. */
  readonly messageIds: "replace" | "keep";
}

interface SettingsEntry {
  readonly type: "settings";
  readonly change: Partial<Settings>;
}

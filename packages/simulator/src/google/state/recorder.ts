import type { PostedMessage, SlackEntry } from "../../slack/state/slack-entry.ts";
import type { Entry } from "./entries.ts";
import type {
  RecordedCall,
  StoredCalendarChange,
  StoredSentMail,
  SimulatorRecord,
} from "./record.ts";

export interface Recorder {
  readonly nextSeq: () => number;
  /** Replaces the record of that call. */
  readonly put: (call: RecordedCall) => void;
  readonly addEffects: (seq: number, entries: readonly Entry[]) => void;
  readonly addSent: (mail: StoredSentMail) => void;
  readonly addCalendarChange: (change: StoredCalendarChange) => void;
  readonly addPosted: (message: PostedMessage) => void;
  readonly call: (seq: number) => RecordedCall | undefined;
  readonly record: () => SimulatorRecord;
}

const maxCalls = 5_000;

export function createRecorder(readRaw: (digest: string) => Buffer): Recorder {
  const calls = new Map<number, RecordedCall>();
  const effectsBefore = new Map<number, readonly string[]>();
  const sent: StoredSentMail[] = [];
  const calendar: StoredCalendarChange[] = [];
  const bytesOf = (digest: string) => readRaw(digest).toString("base64");
  const posted: PostedMessage[] = [];
  let seq = 0;
  return {
    nextSeq: () => (seq += 1),
    put: (call) => {
      seq = Math.max(seq, call.seq);
      const effects = call.effects.length > 0 ? call.effects : (effectsBefore.get(call.seq) ?? []);
      calls.set(call.seq, { ...call, effects });
      for (const old of calls.keys()) {
        if (calls.size <= maxCalls) break;
        calls.delete(old);
      }
    },
    addEffects: (of, entries) => {
      const effects = [...(effectsBefore.get(of) ?? []), ...entries.flatMap(describeEffect)];
      if (effects.length === 0) return;
      effectsBefore.set(of, effects);
      const call = calls.get(of);
      if (call) calls.set(of, { ...call, effects });
    },
    addSent: (mail) => sent.push(mail),
    addCalendarChange: (change) => calendar.push(change),
    addPosted: (message) => posted.push(message),
    call: (of) => calls.get(of),
    record: () => ({
      calls: [...calls.values()],
      sent: sent.map(({ rawDigest, ...mail }) => ({ ...mail, raw: bytesOf(rawDigest) })),
      calendar: calendar.map(({ invitations, ...change }) => ({
        ...change,
        invitations: invitations.map(({ rawDigest, ...mail }) => ({
          ...mail,
          raw: bytesOf(rawDigest),
        })),
      })),
      posted: [...posted],
    }),
  };
}

function describeEffect(entry: Entry): string[] {
  switch (entry.type) {
    case "sent":
      return [`sent ${entry.mail.messageId} from ${entry.mail.account}`];
    case "draft":
      return [`${entry.messageId === undefined ? "removed" : "saved"} draft ${entry.draftId}`];
    case "labels":
      return [`labelled ${entry.id} ${entry.labelIds.join(",")}`];
    case "calendar":
      return [
        `${entry.change.kind} event ${entry.change.eventId} of ${entry.change.calendarId}`,
        ...entry.change.notified.map(
          (address) => `mailed ${address} about event ${entry.change.eventId}`,
        ),
      ];
    case "revoked":
      return [`revoked ${entry.grantId}`];
    case "slack":
      return describeSlackEffect(entry.entry);
    default:
      return [];
  }
}

function describeSlackEffect(entry: SlackEntry): string[] {
  if (entry.change === "posted")
    return [`posted ${entry.posted.ts} to ${entry.posted.channelName}`];
  if (entry.change === "joined") return [`${entry.userId} joined ${entry.channelId}`];
  return entry.change === "token-revoked" ? ["revoked a token of Slack"] : [];
}

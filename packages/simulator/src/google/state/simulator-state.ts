import { omitUndefined } from "@bron/protocol";
import { randomBytes } from "node:crypto";
import { createCalendars, type Calendars, type SeededCalendar } from "../calendar/calendars.ts";
import type { SeededMail } from "../../mailbox/seeded-mail.ts";
import { openWorkspace } from "../../slack/state/open-workspace.ts";
import type { SeededWorkspace, Workspace } from "../../slack/state/workspace.ts";
import type { Entry, Settings } from "./entries.ts";
import { createGrants, type Grants } from "./grants.ts";
import type { SeedRecord, Journal, JournalLine } from "./journal.ts";
import { rawContent, type MailContent } from "./mail-content.ts";
import { createMailbox, type Mailbox } from "./mailbox.ts";
import { newMessageId } from "./message-ids.ts";
import { createRecorder, type Recorder } from "./recorder.ts";
import type { RecordedCall } from "./record.ts";

export interface SimulatorState {
  readonly clientSecret: () => string;
  readonly mailbox: (address: string) => Mailbox | undefined;
  readonly calendars: () => Calendars;
  readonly grants: () => Grants;
  readonly workspace: () => Workspace;
  readonly settings: () => Settings;
  readonly recorder: () => Recorder;
  /** Atomic, even if the process dies. `call` is the call that caused the change. */
  readonly commit: (entries: readonly Entry[], call?: number) => void;
  readonly keepRaw: (raw: Buffer) => string;
  /** Reads are not persisted. */
  readonly recordCall: (call: RecordedCall, how: { readonly isRead: boolean }) => void;
  /** Resets to the seed, dated by the current time. The client secret stays the same. */
  readonly reset: () => void;
}

interface SimulatorStateOptions {
  readonly journal: Journal;
  readonly now: () => Date;
  readonly seed: number;
  readonly accounts: readonly string[];
  readonly makeMail: (seed: number, anchor: Date) => readonly SeededMail[];
  readonly makeCalendars: (seed: number, anchor: Date) => readonly SeededCalendar[];
  readonly makeWorkspace: (seed: number, anchor: Date) => SeededWorkspace;
}

const firstSettings: Settings = { sentLagMs: 0, accessTokenSeconds: 3_599, messageIds: "replace" };

/**
 * The state is folded on first use, and each service is seeded on its own first use. Many processes
 * with a sandbox never ask it for anything, and the seed takes longer than the rest of its start.
 */
export function createSimulatorState(options: SimulatorStateOptions): SimulatorState {
  const { journal } = options;
  let lines = journal.read();
  let seedRecord = lines.find((line) => "begun" in line)?.begun ?? recordSeed(options, newSecret());
  let folded: Folded | undefined;
  const fold = (): Folded => (folded ??= restore(options, seedRecord, lines));

  return {
    clientSecret: () => seedRecord.clientSecret,
    mailbox: (address) => fold().mailboxes().get(address.toLowerCase()),
    calendars: () => fold().calendars(),
    grants: () => fold().grants,
    workspace: () => fold().workspace(),
    settings: () => fold().settings,
    recorder: () => fold().recorder,
    commit: (entries, call) => {
      const line = { entries, ...omitUndefined({ call }) };
      journal.append(line);
      applyLine(fold(), line, journal);
    },
    keepRaw: journal.keepRaw,
    recordCall: (call, { isRead }) => {
      const { recorder } = fold();
      recorder.put(call);
      const kept = recorder.call(call.seq) ?? call;
      if (!isRead) journal.append({ called: kept });
    },
    reset: () => {
      journal.clear();
      seedRecord = recordSeed(options, seedRecord.clientSecret);
      lines = [];
      folded = undefined;
    },
  };
}

interface Folded {
  readonly mailboxes: () => ReadonlyMap<string, Mailbox>;
  readonly calendars: () => Calendars;
  readonly grants: Grants;
  readonly workspace: () => Workspace;
  readonly recorder: Recorder;
  settings: Settings;
}

const newSecret = () => `demo-${randomBytes(18).toString("base64url")}`;

function recordSeed(options: SimulatorStateOptions, clientSecret: string): SeedRecord {
  const seedRecord = { seed: options.seed, anchor: options.now().getTime(), clientSecret };
  options.journal.append({ begun: seedRecord });
  return seedRecord;
}

function restore(
  options: SimulatorStateOptions,
  { seed, anchor, clientSecret }: SeedRecord,
  lines: readonly JournalLine[],
): Folded {
  const folded: Folded = {
    mailboxes: once(() => {
      const mailboxes = new Map(
        options.accounts.map((address) => [address, createMailbox(address)]),
      );
      for (const mail of options.makeMail(seed, new Date(anchor))) seedMail(mail, mailboxes);
      return mailboxes;
    }),
    calendars: once(() => createCalendars(options.makeCalendars(seed, new Date(anchor)))),
    workspace: once(() =>
      openWorkspace(options.makeWorkspace(seed, new Date(anchor)), clientSecret),
    ),
    grants: createGrants(),
    recorder: createRecorder(options.journal.readRaw),
    settings: firstSettings,
  };
  for (const line of lines) applyLine(folded, line, options.journal);
  return folded;
}

function once<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

/** A thread's id is the id of its first message in the same mailbox. */
function seedMail(mail: SeededMail, mailboxes: ReadonlyMap<string, Mailbox>): void {
  const internalDate = mail.date.getTime();
  for (const { address, labelIds } of mail.copies) {
    const mailbox = mailboxes.get(address);
    if (!mailbox) continue;
    const first = mailbox
      .messages()
      .find(({ content }) => content.facts().messageId === mail.firstMessageId);
    const id = newMessageId(mailbox, internalDate);
    mailbox.seed({
      id,
      threadId: first?.threadId ?? id,
      labelIds,
      internalDate,
      visibleAt: 0,
      content: mail.content,
    });
  }
}

function applyLine(folded: Folded, line: JournalLine, journal: Journal): void {
  if ("called" in line) return folded.recorder.put(line.called);
  if (!("entries" in line)) return;
  for (const entry of line.entries) applyEntry(folded, entry, journal);
  if (line.call !== undefined) folded.recorder.addEffects(line.call, line.entries);
}

function applyEntry(folded: Folded, entry: Entry, journal: Journal): void {
  switch (entry.type) {
    case "message":
      return folded
        .mailboxes()
        .get(entry.account)
        ?.apply(entry, storedContent(entry.rawDigest, entry.sizeBytes, journal));
    case "labels":
    case "removed":
    case "draft":
      return folded.mailboxes().get(entry.account)?.apply(entry, undefined);
    case "settings":
      folded.settings = { ...folded.settings, ...entry.change };
      return;
    case "sent":
      return folded.recorder.addSent(entry.mail);
    case "event":
      return folded.calendars().find(entry.calendarId)?.put(entry.event);
    case "calendar":
      return folded.recorder.addCalendarChange(entry.change);
    case "slack":
      if (entry.entry.change === "posted") folded.recorder.addPosted(entry.entry.posted);
      return folded.workspace().apply(entry.entry);
    default:
      return folded.grants.apply(entry);
  }
}

function storedContent(digest: string, sizeBytes: number, journal: Journal): MailContent {
  return rawContent(sizeBytes, () => journal.readRaw(digest));
}

import type { JsonObject } from "../wire.ts";
import { playThread, type Played, type Sandbox } from "./first-minutes.fixture.ts";

const at = (day: number, hours: string) => `2026-11-${day}T${hours}:00+01:00`;
const people = ["priya", "jonas", "camille", "lea", "tomasz", "ben"];

const mails = [
  ["Felix Baum <felix@akku.example>", "Late battery shipment", "The batteries come on Friday."],
  ["Velo Nord <info@velo-nord.example>", "Bells", "The bells are ready. Shall we ship them?"],
  ["Brandt Metall <sales@brandt.example>", "Purchase order 4711", "Thank you for the order."],
].map(([from = "", subject = "", text = ""], index) => ({
  from,
  subject,
  text,
  daysOld: index + 1,
  isUnread: index === 0,
}));

const sandbox: Sandbox = {
  mails,
  events: [
    { eventId: "one", summary: "1:1 Mara / Jonas", start: at(17, "14:00"), end: at(17, "14:30") },
    { eventId: "budget", summary: "Budget review", start: at(19, "14:00"), end: at(19, "15:00") },
  ],
  channels: {
    general: [{ at: "2026-11-12T09:00:00.000Z", who: "Ben", text: "Gate 2 is closed." }],
    workshop: [
      { at: "2026-11-13T09:00:00.000Z", who: "Lea", text: "The lift works again." },
      { at: "2026-11-14T09:00:00.000Z", who: "Ben", text: "Gate 2 is closed on Monday." },
    ],
  },
  overrides: {
    gmail_message_read: ({ messageId }: JsonObject) => {
      const name = String(messageId).replace("sent-", "");
      return { messageId, to: `${name}@lindqvist.example`, cc: "" };
    },
  },
};

/** The owner has written to some people, so that their addresses are known. */
function findSent(query: string): unknown {
  const name = /^in:sent to:(\w+)$/i.exec(query)?.[1]?.toLowerCase() ?? "";
  const matches = people.includes(name) ? [{ messageId: `sent-${name}`, threadId: "t" }] : [];
  return { query, found: matches.length, more: false, matches };
}

export interface Scene {
  /** The messages of a conversation. */
  readonly says: readonly string[];
  /** What the owner does at the approvals of a message. */
  readonly decides?: Sandbox["decisions"];
  readonly files?: readonly JsonObject[];
}

/** Plays a conversation in a sandbox with mail, a calendar and channels. */
export function playScene({ says, decides, files = [] }: Scene): Played {
  const search = (args: JsonObject) => {
    const query = String(args["query"]);
    if (query.startsWith("in:sent")) return findSent(query);
    const words = query.toLowerCase().match(/[\p{L}\d]{3,}/gu) ?? [];
    const found = mails.flatMap((mail, index) =>
      words.some((word) => `${mail.from} ${mail.subject}`.toLowerCase().includes(word)) ||
      query === "in:inbox" ||
      (query.includes("is:unread") && mail.isUnread)
        ? [{ messageId: `m${index}`, threadId: `t${index}`, ...mail, date: "2026-11-14" }]
        : [],
    );
    return { query, found: found.length, more: false, matches: found };
  };
  return playThread(says, files, {
    ...sandbox,
    overrides: { ...sandbox.overrides, gmail_search: search },
    ...(decides ? { decisions: decides } : {}),
  });
}

import type { PollWatch } from "@bron/core";
import type { gmail_v1 } from "@googleapis/gmail";
import { readFromGoogle } from "../google/call-google.ts";
import { ifFound } from "../google/if-found.ts";
import type { GmailDeps } from "../gmail/gmail-deps.ts";
import { attachmentsOf, dateOf, headerOf } from "../gmail/read-mail.ts";
import { cursorOf, newSince, readSeen, type Seen } from "./seen.ts";

/** One poll looks at no more. Older ones of the same five minutes are left out. */
const maxListed = 100;
const fields =
  "id,threadId,labelIds,internalDate,snippet,payload(headers,filename,mimeType,body(attachmentId,size),parts(filename,mimeType,body(attachmentId,size)))";
/** What the owner and Bron write themselves is not something new. */
const ownLabels = ["SENT", "DRAFT"];

/** Finds emails that match a Gmail search and arrived since the last poll. */
export function watchMail(deps: Pick<GmailDeps, "accounts" | "service" | "clock">): PollWatch {
  return async ({ query, cursor, ...caller }) => {
    const seen: Seen = cursor === null ? { at: 0, ids: [] } : readSeen(cursor);
    const listed = await readFromGoogle(deps, caller, ({ gmail }, options) =>
      gmail.users.messages.list({ userId: "me", q: query, maxResults: maxListed }, options),
    );
    const ids = (listed.messages ?? []).flatMap(({ id }) => id ?? []);
    const known = new Set(seen.ids);
    // The first poll needs only the time of the newest one.
    const unknown = cursor === null ? ids.slice(0, 1) : ids.filter((id) => !known.has(id));
    const read = await Promise.all(
      unknown.map((id) =>
        ifFound(
          readFromGoogle(deps, caller, ({ gmail }, options) =>
            gmail.users.messages.get({ userId: "me", id, format: "full", fields }, options),
          ),
        ),
      ),
    );
    const mails = read.flatMap((message) =>
      message ? [{ id: message.id ?? "", at: Number(message.internalDate ?? 0), message }] : [],
    );
    const arrived = newSince(mails, seen).filter(
      ({ message }) => message.labelIds?.some((label) => ownLabels.includes(label)) !== true,
    );
    const all = ids.map((id) => ({ id, at: mails.find((mail) => mail.id === id)?.at ?? 0 }));
    return {
      cursor: cursorOf(all, seen),
      matches: arrived.map(({ message }) => describeMail(message)),
    };
  };
}

function describeMail(message: gmail_v1.Schema$Message): string {
  const files = attachmentsOf(message.payload).map(({ filename }) => filename);
  return [
    "A new email arrived.",
    `messageId: ${message.id ?? ""}`,
    `From: ${headerOf(message, "From")}`,
    `Subject: ${headerOf(message, "Subject")}`,
    `Date: ${dateOf(message)}`,
    ...(files.length === 0 ? [] : [`Attachments: ${files.join(", ")}`]),
    message.snippet ?? "",
  ].join("\n");
}

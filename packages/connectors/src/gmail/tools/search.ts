import { defineTool, listParts, type Tool } from "@bron/core";
import { z } from "zod";
import { readFromGoogle } from "../../google/call-google.ts";
import type { GmailDeps } from "../gmail-deps.ts";
import { mailItem } from "../mail-item.ts";
import { attachmentsOf, dateOf, headerOf } from "../read-mail.ts";
import { reasonFor } from "../search-reason.ts";

/** A full message would include its body. A list needs only headers and attachment names. */
const listFields =
  "id,threadId,internalDate,snippet,payload(headers,filename,mimeType,body(attachmentId,size),parts(filename,mimeType,body(attachmentId,size),parts(filename,mimeType,body(attachmentId,size))))";

export function searchTool(deps: GmailDeps, name: string): Tool {
  return defineTool({
    name,
    description:
      "Searches the user's mail with Gmail's operators (from: to: subject: has:attachment filename: newer_than: after: in: is: OR - quotes). Newest first.",
    input: z.object({
      query: z.string().max(1_000).describe('e.g. subject:"Invoice" has:attachment newer_than:30d'),
      maxResults: z.number().int().min(1).max(20).default(10),
    }),
    group: "gmail",
    label: { origin: "mail", parts: listParts("matches", mailItem) },
    repeatable: true,
    parallelSafe: true,
    async execute({ query, maxResults }, context) {
      const listed = await readFromGoogle(deps, context, ({ gmail }, options) =>
        gmail.users.messages.list({ userId: "me", q: query, maxResults }, options),
      );
      const messages = await Promise.all(
        (listed.messages ?? []).map(({ id }) =>
          readFromGoogle(deps, context, ({ gmail }, options) =>
            gmail.users.messages.get(
              { userId: "me", id: id ?? "", format: "full", fields: listFields },
              options,
            ),
          ),
        ),
      );
      const matches = messages.map((message) => ({
        messageId: message.id ?? "",
        threadId: message.threadId ?? "",
        from: headerOf(message, "From"),
        subject: headerOf(message, "Subject"),
        date: dateOf(message),
        snippet: message.snippet ?? "",
        attachments: attachmentsOf(message.payload).map(({ filename }) => filename),
      }));
      context.showCard("EmailSearchResultsCard", {
        query,
        matches: matches.map(({ messageId, from, subject, date, attachments }) => ({
          messageId,
          from,
          subject,
          date,
          reason: reasonFor(query, attachments),
        })),
      });
      return { query, found: matches.length, more: (listed.nextPageToken ?? "") !== "", matches };
    },
  });
}

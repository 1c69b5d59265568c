import { headerAddresses, type MailAddress } from "./addresses.ts";
import { headerValue, headerValues } from "./header-fields.ts";
import { messageText } from "./message-text.ts";
import { allParts, type MimePart } from "./parse-mime.ts";

/** The facts about a message that search, threading and delivery need. */
export interface MailFacts {
  readonly from: readonly MailAddress[];
  readonly to: readonly MailAddress[];
  readonly cc: readonly MailAddress[];
  readonly bcc: readonly MailAddress[];
  readonly subject: string;
  readonly text: string;
  readonly attachmentNames: readonly string[];
  /** Without the angle brackets, as in `references`. */
  readonly messageId: string;
  /** References and In-Reply-To. */
  readonly references: readonly string[];
  readonly deliveredTo: readonly string[];
  readonly listId: string;
}

export function mailFacts(root: MimePart): MailFacts {
  const { headers } = root;
  const ids = (name: string) => headerValues(headers, name).flatMap(messageIds);
  return {
    from: headerAddresses(headers, "From"),
    to: headerAddresses(headers, "To"),
    cc: headerAddresses(headers, "Cc"),
    bcc: headerAddresses(headers, "Bcc"),
    subject: headerValue(headers, "Subject"),
    text: messageText(root),
    attachmentNames: allParts(root).flatMap(({ filename, parts }) =>
      filename !== "" && parts.length === 0 ? [filename] : [],
    ),
    messageId: ids("Message-ID")[0] ?? "",
    references: [...new Set([...ids("References"), ...ids("In-Reply-To")])],
    deliveredTo: headerValues(headers, "Delivered-To"),
    listId: headerValue(headers, "List-Id"),
  };
}

function messageIds(value: string): string[] {
  return value.match(/<[^<>\s]+>/g)?.map((one) => one.slice(1, -1)) ?? [];
}

import { authenticationResults } from "../google/gmail/authentication-results.ts";
import { omitUndefined } from "@bron/protocol";
import { createHash } from "node:crypto";
import { companyAccounts, mara, type Person } from "./company.ts";
import { invitationMails } from "./invitation-mails.ts";
import { replyMarks, withQuote } from "./quote.ts";
import { createRandom } from "./random.ts";
import { seededContent } from "./seeded-content.ts";
import type { SeededMail } from "./seeded-mail.ts";
import type { MailPlan, ThreadPlan } from "./thread-plan.ts";
import { invoiceThreads } from "./threads/invoice-threads.ts";
import { orderThreads } from "./threads/order-threads.ts";
import { noiseThreads, specialThreads } from "./threads/other-threads.ts";
import { ownThreads } from "./threads/own-threads.ts";
import { teamThreads } from "./threads/team-threads.ts";

/**
 * Ninety days of a small company's email before the anchor, oldest first. The same seed and anchor
 * produce the same bytes.
 */
export function makeMail(seed: number, anchor: Date): readonly SeededMail[] {
  const random = createRandom(seed);
  const plans = [
    ...invoiceThreads(anchor, random.fork("invoices")),
    ...orderThreads(anchor, random.fork("orders")),
    ...teamThreads(),
    ...specialThreads(anchor),
    ...noiseThreads(),
    ...ownThreads(),
  ];
  const minutes = random.fork("minutes");
  const mails = plans.flatMap((plan, at) =>
    dateThread(plan, { anchor, name: `${seed}-${at}`, minute: minutes.int(-420, 300) }),
  );
  return [...mails, ...invitationMails(seed, anchor)].sort(
    (a, b) => a.date.getTime() - b.date.getTime(),
  );
}

interface Dating {
  readonly anchor: Date;
  readonly name: string;
  /** Offset to the hour of the anchor. */
  readonly minute: number;
}

interface Written {
  readonly from: Person;
  readonly date: Date;
  readonly text: string;
  readonly messageId: string;
}

function dateThread(plan: ThreadPlan, { anchor, name, minute }: Dating): SeededMail[] {
  const written: Written[] = [];
  const mails: SeededMail[] = [];
  // Mail headers have a resolution of one second.
  let time =
    Math.floor(anchor.getTime() / 1000) * 1000 - plan.daysAgo * 86_400_000 + minute * 60_000;
  for (const [at, mail] of plan.mails.entries()) {
    time += mail.afterHours * 3_600_000 + (at === 0 ? 0 : (at * 613) % 3_000) * 1000;
    if (time >= anchor.getTime()) break;
    const date = new Date(time);
    const answered = written.at(-1);
    const messageId = `${createHash("sha256").update(`${name}-${at}`).digest("hex").slice(0, 24)}@${mail.from.address.split("@")[1] ?? ""}`;
    const text = answered ? withQuote(mail.text, answered, mail.from.language) : mail.text;
    const content = seededContent({
      from: mail.from,
      to: mail.to,
      cc: mail.cc ?? [],
      subject: answered ? `${replyMarks[mail.from.language]}: ${plan.subject}` : plan.subject,
      text,
      attachments: mail.attachments ?? [],
      headers: {
        "Authentication-Results": authenticationResults(mail.from.address),
        ...mail.headers,
      },
      date,
      messageId,
      references: written.map((one) => one.messageId),
      ...omitUndefined({ html: mail.html }),
    });
    written.push({ from: mail.from, date, text, messageId });
    mails.push({
      date,
      firstMessageId: written[0]?.messageId ?? messageId,
      copies: copiesOf(plan, mail, (anchor.getTime() - time) / 86_400_000),
      content,
    });
  }
  return mails;
}

function copiesOf(plan: ThreadPlan, mail: MailPlan, ageDays: number): SeededMail["copies"] {
  const receivers = new Set([...mail.to, ...(mail.cc ?? [])].map(({ address }) => address));
  return companyAccounts.flatMap(({ address }) => {
    if (address === mail.from.address)
      return [{ address, labelIds: ["SENT", ...ownLabels(plan, address)] }];
    return receivers.has(address)
      ? [{ address, labelIds: receivedLabels(plan, address, ageDays) }]
      : [];
  });
}

/** Old mail is archived. Mail of the last two days is unread. */
function receivedLabels(plan: ThreadPlan, address: string, ageDays: number): string[] {
  const place = plan.place ?? "PERSONAL";
  if (place === "SPAM") return ["SPAM", "UNREAD"];
  return [
    `CATEGORY_${place}`,
    ...(ageDays < 45 ? ["INBOX"] : []),
    ...(ageDays < 2 || (place === "PROMOTIONS" && ageDays < 20) ? ["UNREAD"] : []),
    ...(place === "PERSONAL" ? ["IMPORTANT"] : []),
    ...ownLabels(plan, address),
  ];
}

function ownLabels({ labelId, daysAgo }: ThreadPlan, address: string): string[] {
  if (address !== mara.address || labelId === undefined) return [];
  return daysAgo % 11 === 0 ? [labelId, "STARRED"] : [labelId];
}

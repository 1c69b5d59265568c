import type { AccountReader } from "@bron/core";
import type { ApprovalBackground } from "@bron/protocol";
import { readFromGoogle } from "../google/call-google.ts";
import type { GmailDeps } from "./gmail-deps.ts";
import type { PreparedMail } from "./prepared-mail.ts";
import { toMailView } from "./read-mail.ts";

const maxCharacters = 4_000;

/** The last email of the conversation that a prepared email continues. */
export async function readAnswered(
  deps: GmailDeps,
  { account, threadId }: PreparedMail,
  { ownerId, signal }: AccountReader,
): Promise<ApprovalBackground | undefined> {
  if (threadId === "") return undefined;
  const caller = { ownerId, signal, account };
  const { messages = [] } = await readFromGoogle(deps, caller, ({ gmail }, options) =>
    gmail.users.threads.get({ userId: "me", id: threadId, format: "minimal" }, options),
  );
  const last = messages.findLast(({ labelIds }) => labelIds?.includes("DRAFT") !== true);
  if (!last?.id) return undefined;
  const { id } = last;
  const mail = toMailView(
    await readFromGoogle(deps, caller, ({ gmail }, options) =>
      gmail.users.messages.get({ userId: "me", id, format: "full" }, options),
    ),
  );
  return {
    kind: "answered_email",
    from: mail.from,
    date: mail.date,
    subject: mail.subject,
    text: mail.text.slice(0, maxCharacters),
    isShortened: mail.text.length > maxCharacters,
  };
}

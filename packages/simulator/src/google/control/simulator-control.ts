import { badRequest, notFound } from "../api-error.ts";
import { composeMail, type MailInput } from "../compose-mail.ts";
import { authenticationResults } from "../gmail/authentication-results.ts";
import { saveDraft } from "../gmail/save-draft.ts";
import { deliverEntry, removeDraft, sendMail } from "../gmail/send-mail.ts";
import { headerAddresses } from "../mime/addresses.ts";
import { headerValue, parseHeaderFields } from "../mime/header-fields.ts";
import { splitHead } from "../mime/parse-mime.ts";
import type { Settings } from "../state/entries.ts";
import type { Mailbox, StoredMessage } from "../state/mailbox.ts";
import type { SimulatorState } from "../state/simulator-state.ts";
import { createCalendarControl, type CalendarControl } from "./calendar-control.ts";

interface DraftRef {
  readonly account: string;
  readonly draftId: string;
}

/** A complete message: its bytes in base64, or its fields. */
type MailSource = { readonly raw: string } | MailInput;

/**
 * Actions of Google and of the owner while an app is connected. All throw ApiError for missing
 * items.
 */
export interface SimulatorControl extends CalendarControl {
  readonly expireAccessTokens: () => void;
  /** Revokes the grants of one account, or of all. */
  readonly revoke: (account?: string) => void;
  readonly changeSettings: (change: Partial<Settings>) => void;
  readonly drafts: (account: string) => Promise<readonly DraftView[]>;
  readonly editDraft: (draft: DraftRef, mail: MailSource) => Promise<void>;
  readonly deleteDraft: (draft: DraftRef) => void;
  /** Returns the id of the sent message. */
  readonly sendDraft: (draft: DraftRef) => Promise<string>;
  /** Returns the message id in the account's mailbox. */
  readonly deliver: (account: string, mail: MailSource) => Promise<string>;
}

interface DraftView extends DraftRef {
  readonly messageId: string;
  readonly threadId: string;
  readonly subject: string;
  /** Base64. */
  readonly raw: string;
}

interface ControlDeps {
  readonly state: SimulatorState;
  readonly accounts: readonly { readonly address: string; readonly name: string }[];
  readonly now: () => Date;
}

export function createControl({ state, accounts, now }: ControlDeps): SimulatorControl {
  const mailboxOf = (account: string): Mailbox => {
    const mailbox = state.mailbox(account);
    if (!mailbox) throw badRequest(`Account ${account} not found.`);
    return mailbox;
  };
  const draftOf = ({
    account,
    draftId,
  }: DraftRef): { readonly mailbox: Mailbox; readonly message: StoredMessage } => {
    const mailbox = mailboxOf(account);
    const message = mailbox.message(mailbox.drafts.get(draftId) ?? "");
    if (!message) throw notFound();
    return { mailbox, message };
  };
  return {
    ...createCalendarControl({ state, accounts, now }),
    expireAccessTokens: () => state.commit([{ type: "access-expired" }]),
    revoke: (account) => {
      const grants = accounts
        .filter(({ address }) => account === undefined || address === account)
        .flatMap(({ address }) => state.grants().ofAccount(address));
      state.commit(grants.map(({ grantId }) => ({ type: "revoked", grantId })));
    },
    changeSettings: (change) => state.commit([{ type: "settings", change }]),
    drafts: (account) =>
      Promise.all(
        [...mailboxOf(account).drafts.keys()].map(async (draftId) => {
          const { message } = draftOf({ account, draftId });
          const raw = (await message.content.raw()).toString("base64");
          return {
            account,
            draftId,
            messageId: message.id,
            threadId: message.threadId,
            subject: message.content.facts().subject,
            raw,
          };
        }),
      ),
    editDraft: async (draft, mail) => {
      const raw = await readSource(mail);
      const { mailbox, message } = draftOf(draft);
      const isReply = mailbox.thread(message.threadId).length > 1;
      saveDraft(state, {
        mailbox,
        draftId: draft.draftId,
        raw,
        now: now(),
        ...(isReply ? { threadId: message.threadId } : {}),
      });
    },
    deleteDraft: (draft) => state.commit(removeDraft(draftOf(draft).mailbox, draft.draftId)),
    sendDraft: async (draft) => {
      const raw = await draftOf(draft).message.content.raw();
      const { mailbox } = draftOf(draft);
      const senderName = accounts.find(({ address }) => address === mailbox.address)?.name ?? "";
      return sendMail(state, {
        mailbox,
        senderName,
        raw,
        draftId: draft.draftId,
        now: now(),
        by: "owner",
      }).id;
    },
    deliver: async (account, mail) => {
      const raw = await readSource(mail);
      const mailbox = mailboxOf(account);
      const entry = deliverEntry(
        state,
        mailbox,
        Buffer.concat([Buffer.from(`${deliveryHeaders(mailbox.address, raw)}\r\n`), raw]),
        now(),
      );
      state.commit([entry]);
      return entry.id;
    },
  };
}

function readSource(mail: MailSource): Promise<Buffer> {
  return "raw" in mail ? Promise.resolve(Buffer.from(mail.raw, "base64")) : composeMail(mail);
}

/** A mail that says nothing else comes from the server of its sender. */
function deliveryHeaders(address: string, raw: Buffer): string {
  const fields = parseHeaderFields(splitHead(raw).head);
  const [sender] = headerAddresses(fields, "From");
  const isChecked = headerValue(fields, "Authentication-Results") !== "";
  return [
    `Delivered-To: ${address}`,
    ...(sender && !isChecked
      ? [`Authentication-Results: ${authenticationResults(sender.address)}`]
      : []),
  ].join("\r\n");
}

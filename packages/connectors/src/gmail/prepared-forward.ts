import { BronError, contentValues, type EffectFacts, type ToolContext } from "@bron/core";
import type { FormReads } from "@bron/protocol";
import { z } from "zod";
import type { CopiedMail } from "./copied-mail.ts";
import { filesOf } from "./edit-mail.ts";
import type { GmailDeps } from "./gmail-deps.ts";
import { mailFacts, withKnownPeople } from "./mail-facts.ts";
import { prepareMail, previewOf, type MailRequest } from "./prepared-mail.ts";
import type { PreparedSend } from "./send-effect.ts";

/** A mail that contains another one. Only the recipients and the note can be edited. */
export interface PreparedForward extends PreparedSend {
  /** The mail that is forwarded. */
  forwardedId: string;
  /** What the model wrote above the copy. */
  note: string;
  /** The copied mail under its headers. */
  copy: string;
}

type Recipients = Pick<MailRequest, "to" | "cc" | "bcc">;

interface ForwardRequest extends Recipients {
  readonly account: string;
  readonly forwardedId: string;
  readonly note: string;
}

export async function prepareForward(
  deps: GmailDeps,
  { account, forwardedId, note: written, ...recipients }: ForwardRequest,
  { subject, copy, attachments, readArtifact, reads }: CopiedMail,
  context: ToolContext,
): Promise<{ prepared: PreparedForward; preview: string; reads: FormReads }> {
  const note = written.replaceAll(/\r\n?/g, "\n").trim();
  const mail = await prepareMail(
    {
      ...recipients,
      subject,
      bodyText: note === "" ? copy : `${note}\n\n${copy}`,
      attachments,
    },
    { account },
    { readArtifact },
    new Date(deps.clock.now()),
  );
  const prepared = await withKnownPeople(
    deps,
    { ...context, account },
    { ...mail, draftId: "", draftDigest: "", forwardedId, note, copy },
  );
  return { prepared, preview: previewOf(prepared), reads };
}

/** The copied part is the owner's choice if they asked to forward this mail. */
export function forwardFacts(mail: PreparedForward): EffectFacts {
  const { subject, note, copy, attachments, forwardedId, to, cc, bcc } = mail;
  const written = contentValues([note, ...to, ...cc, ...bcc].join("\n"));
  const copied = contentValues(`${subject}\n${copy}`);
  return {
    ...mailFacts(mail),
    text: note,
    titles: [],
    copied: {
      hosts: copied.hosts.filter((host) => !written.hosts.includes(host)),
      values: copied.values.filter((value) => !written.values.includes(value)),
      files: attachments.map(({ digest }) => digest),
    },
    things: [{ kind: "mail", id: forwardedId, title: subject }],
  };
}

const people = z.array(z.string());
const forwardChanges = z
  .strictObject({ to: people, cc: people, bcc: people, note: z.string().max(20_000) })
  .partial();

export function forwardEditing(deps: GmailDeps) {
  return {
    fields: forwardChanges,
    valuesOf: ({ to, cc, bcc, note }: PreparedForward) => ({ to, cc, bcc, note }),
    async edit(
      mail: PreparedForward,
      changes: z.infer<typeof forwardChanges>,
      context: ToolContext,
    ) {
      const { to = mail.to, cc = mail.cc, bcc = mail.bcc, note = mail.note } = changes;
      if (to.length + cc.length + bcc.length === 0)
        throw new BronError("invalid_arguments", "Add at least one recipient.");
      const { account, forwardedId, subject, copy, attachments } = mail;
      const { readArtifact } = await filesOf(mail);
      return await prepareForward(
        deps,
        { account, forwardedId, to, cc, bcc, note },
        // An edit keeps what was read for the version before it.
        { subject, copy, attachments, readArtifact, reads: { results: [], writers: [] } },
        context,
      );
    },
  };
}

import { actionFailure, defineTool, textOf, outputPart, type Tool } from "@bron/core";
import { z } from "zod";
import { readFromGoogle } from "../../google/call-google.ts";
import type { GmailDeps } from "../gmail-deps.ts";
import { attachmentsOf, dateOf, headerOf } from "../read-mail.ts";

/**
 * Gmail's attachment ids change from response to response, so an attachment is also found by its
 * name.
 */
export function attachmentTool(deps: GmailDeps, name: string): Tool {
  return defineTool({
    name,
    description:
      "Downloads an attachment of a message and saves it as an artifact. Returns its digest, which document_read and drafts use to refer to it.",
    input: z.object({
      messageId: z.string().min(1),
      attachmentId: z.string().min(1).optional(),
      filename: z.string().min(1).optional(),
    }),
    group: "gmail",
    label: {
      origin: "mail",
      parts: outputPart((file) => ({
        item: {
          kind: "file",
          title: textOf(file, "filename"),
          author: textOf(file, "from"),
          date: textOf(file, "date"),
        },
        digest: textOf(file, "digest"),
      })),
    },
    timeoutMs: 60_000,
    repeatable: true,
    parallelSafe: true,
    async execute({ messageId, attachmentId, filename }, context) {
      const message = await readFromGoogle(deps, context, ({ gmail }, options) =>
        gmail.users.messages.get({ userId: "me", id: messageId, format: "full" }, options),
      );
      const attachments = attachmentsOf(message.payload);
      const attachment =
        attachments.find((candidate) => candidate.attachmentId === attachmentId) ??
        attachments.find((candidate) => candidate.filename === filename) ??
        (attachments.length === 1 && filename === undefined ? attachments[0] : undefined);
      if (!attachment)
        throw actionFailure("not_found", {
          code: "attachment_missing",
          filenames: attachments.map((candidate) => candidate.filename),
        });
      const { maxAttachmentBytes: maxBytes } = context;
      const tooLarge = () =>
        actionFailure("too_large", {
          code: "file_too_large",
          filename: attachment.filename,
          limitBytes: maxBytes,
        });
      if (attachment.sizeBytes > maxBytes) throw tooLarge();
      const { data } = await readFromGoogle(deps, context, ({ gmail }, options) =>
        gmail.users.messages.attachments.get(
          { userId: "me", messageId, id: attachment.attachmentId },
          options,
        ),
      );
      const bytes = Buffer.from(data ?? "", "base64url");
      if (bytes.length > maxBytes) throw tooLarge();
      const { artifactId, digest } = await context.saveArtifact({
        kind: "attachment",
        name: attachment.filename,
        mediaType: attachment.mimeType,
        bytes,
      });
      return {
        artifactId,
        digest,
        filename: attachment.filename,
        mimeType: attachment.mimeType,
        sizeBytes: bytes.length,
        messageId,
        from: headerOf(message, "From"),
        date: dateOf(message),
      };
    },
  });
}

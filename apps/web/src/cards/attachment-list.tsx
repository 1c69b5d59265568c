import { formatBytes, visible } from "@bron/protocol";
import { texts } from "../texts.ts";
import type { PreparedMail } from "./prepared-mail.ts";

interface AttachmentListProps {
  readonly attachments: PreparedMail["attachments"];
  /** Digests of the task's files. */
  readonly artifactDigests: ReadonlySet<string>;
}

/**
 * Attachments are only downloaded, never displayed by the browser. A file of the task has its own
 * link. Any other file is part of the raw message.
 */
export function AttachmentList({ attachments, artifactDigests }: AttachmentListProps) {
  if (attachments.length === 0) return texts.approval.noAttachments;
  return (
    <ul className="grid gap-1">
      {attachments.map(({ filename, sizeBytes, digest }, index) => (
        <li key={`${index} ${digest}`} className="wrap-anywhere">
          {artifactDigests.has(digest) ? (
            <a
              href={`/api/artifacts/${encodeURIComponent(digest)}`}
              download={visible(filename)}
              aria-label={texts.approval.downloadFile(visible(filename))}
              className="underline"
            >
              {visible(filename)}
            </a>
          ) : (
            visible(filename)
          )}{" "}
          <span className="text-sm text-quiet">
            {formatBytes(sizeBytes)} · <code className="text-xs">{digest.slice(0, 19)}…</code>
          </span>
        </li>
      ))}
    </ul>
  );
}

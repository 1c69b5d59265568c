import { visible } from "@bron/protocol";
import { sizeInWords } from "../size.ts";
import { texts } from "../texts.ts";
import type { PreparedMail } from "./prepared-mail.ts";

interface AttachmentListProps {
  readonly attachments: PreparedMail["attachments"];
  /** Digests of the task's own files. */
  readonly kept: ReadonlySet<string>;
}

/** Only ever saved, never shown by the browser: what is among the task's files by itself, anything else with the bytes of the mail. */
export function AttachmentList({ attachments, kept }: AttachmentListProps) {
  if (attachments.length === 0) return texts.approval.noAttachments;
  return (
    <ul className="grid gap-1">
      {attachments.map(({ filename, sizeBytes, digest }, index) => (
        <li key={`${index} ${digest}`} className="wrap-anywhere">
          {kept.has(digest) ? (
            <a
              href={`/api/artifacts/${encodeURIComponent(digest)}`}
              download={visible(filename)}
              aria-label={texts.approval.saveFile(visible(filename))}
              className="underline"
            >
              {visible(filename)}
            </a>
          ) : (
            visible(filename)
          )}{" "}
          <span className="text-sm text-quiet">
            {sizeInWords(sizeBytes)} · <code className="text-xs">{digest.slice(0, 19)}…</code>
          </span>
        </li>
      ))}
    </ul>
  );
}

import { formatBytes, visible } from "@bron/protocol";
import { useState } from "react";
import { Icon } from "../layout/icon.tsx";
import { PreviewDialog } from "../preview/preview-dialog.tsx";
import { texts } from "../texts.ts";
import { previewWords } from "../words/preview.ts";
import { fileType } from "../words/file-type.ts";
import type { FileItem } from "./item.ts";
import { icon } from "./tool-icons.ts";

/** A file as a chip. It opens a preview. The file itself is only downloaded, never opened. */
export function FileCard({ file }: { readonly file: FileItem }) {
  const { name, mediaType, digest, sizeBytes } = file;
  const about = `${fileType(mediaType)} · ${formatBytes(sizeBytes)}`;
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="flex max-w-80 min-w-0 rounded-xl border border-edge bg-surface text-ink hover:border-accent">
      <button
        type="button"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
        className="flex min-w-0 items-center gap-2.5 rounded-l-xl border-0 bg-transparent py-2 pr-2 pl-2.5 text-start"
      >
        <span className="flex size-9 shrink-0 items-center justify-center rounded-lg bg-raised text-quiet">
          <Icon path={icon.file} />
        </span>
        <span className="min-w-0">
          <span className="sr-only">{previewWords.open} </span>
          <span className="block truncate text-sm font-medium">{visible(name)}</span>
          <span className="block truncate text-xs text-quiet">{about}</span>
        </span>
      </button>
      <a
        href={`/api/artifacts/${encodeURIComponent(digest)}`}
        download={visible(name)}
        aria-label={texts.run.downloadFile(visible(name))}
        title={previewWords.download}
        className="flex w-10 shrink-0 items-center justify-center rounded-r-xl text-quiet hover:bg-raised hover:text-ink"
      >
        <Icon path={icon.download} />
      </a>
      {isOpen && <PreviewDialog file={file} onClose={() => setOpen(false)} />}
    </div>
  );
}

import { formatBytes } from "@bron/protocol";
import { Icon } from "../layout/icon.tsx";
import { texts } from "../texts.ts";
import { fileType } from "../words/file-type.ts";
import type { FileItem } from "./item.ts";
import { icon } from "./tool-icons.ts";

/** A file as a chip. It is always downloaded, never opened by the browser. */
export function FileCard({
  file: { name, mediaType, digest, sizeBytes },
}: {
  readonly file: FileItem;
}) {
  return (
    <a
      href={`/api/artifacts/${encodeURIComponent(digest)}`}
      download={name}
      aria-label={texts.run.downloadFile(name)}
      className="flex max-w-72 min-w-0 items-center gap-2.5 rounded-xl border border-edge bg-surface py-2 pr-3.5 pl-2.5 text-ink no-underline hover:border-accent"
    >
      <span className="flex size-9 shrink-0 items-center justify-center rounded-lg bg-raised text-quiet">
        <Icon path={icon.file} />
      </span>
      <span className="min-w-0">
        <span className="block truncate text-sm font-medium">{name}</span>
        <span className="block truncate text-xs text-quiet">
          {fileType(mediaType)} · {formatBytes(sizeBytes)}
        </span>
      </span>
    </a>
  );
}

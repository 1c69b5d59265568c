import { formatBytes, visible } from "@bron/protocol";
import { useQuery } from "@tanstack/react-query";
import { queries } from "../live/queries.ts";
import { previewWords } from "../words/preview.ts";
import { Button, buttonClass } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { Problem } from "../ui/states.tsx";
import { fileType } from "../words/file-type.ts";
import { PreviewContent } from "./preview-content.tsx";
import type { PreviewedFile } from "./previewed-file.ts";

interface PreviewDialogProps {
  readonly file: PreviewedFile;
  onClose(): void;
}

/** The beginning of a file, with a button that downloads all of it. */
export function PreviewDialog({ file, onClose }: PreviewDialogProps) {
  const { name, mediaType, digest, sizeBytes } = file;
  const preview = useQuery(queries.preview(file));
  return (
    <Dialog title={visible(name)} width="wide" isOpen onClose={onClose}>
      <p className="-mt-3 mb-4 text-sm text-quiet">
        {fileType(mediaType)} · {formatBytes(sizeBytes)}
      </p>
      <div
        role="region"
        tabIndex={0}
        aria-label={previewWords.content}
        aria-busy={preview.isFetching}
        className="max-h-[min(65dvh,48rem)] min-h-32 overflow-auto rounded-lg border border-edge bg-ground"
      >
        {preview.isPending && (
          <div className="px-4">
            <Skeleton lines={6} />
          </div>
        )}
        {preview.error !== null && (
          <div className="px-4">
            <Problem error={preview.error} onRetry={() => void preview.refetch()} />
          </div>
        )}
        {preview.data && (
          <PreviewContent
            preview={preview.data}
            file={file}
            onRetry={() => void preview.refetch()}
          />
        )}
      </div>
      {preview.data && "isCut" in preview.data && preview.data.isCut && (
        <p className="mt-2 text-sm text-quiet">{previewWords.isCut}</p>
      )}
      <div className="mt-4 flex flex-wrap justify-end gap-2">
        <Button autoFocus onClick={onClose}>
          {previewWords.close}
        </Button>
        <a
          href={`/api/artifacts/${encodeURIComponent(digest)}`}
          download={visible(name)}
          className={buttonClass("main")}
        >
          {previewWords.download}
        </a>
      </div>
    </Dialog>
  );
}

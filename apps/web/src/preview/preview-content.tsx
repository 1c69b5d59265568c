import { formatBytes, visible, type FilePreview, type FilePreviewOf } from "@bron/protocol";
import { texts } from "../texts.ts";
import { previewWords } from "../words/preview.ts";
import { Time } from "../time.tsx";
import { Button } from "../ui/button.tsx";
import { ImagePreview } from "./image-preview.tsx";
import { PagesPreview } from "./pages-preview.tsx";
import type { PreviewedFile } from "./previewed-file.ts";
import { TablesPreview } from "./tables-preview.tsx";

interface PreviewContentProps {
  readonly preview: FilePreview;
  readonly file: PreviewedFile;
  onRetry(): void;
}

/** Untrusted content. It is shown as text, never as markup. */
export function PreviewContent({ preview, file, onRetry }: PreviewContentProps) {
  switch (preview.kind) {
    case "pages":
      return <PagesPreview preview={preview} />;
    case "image":
      return <ImagePreview preview={preview} file={file} />;
    case "tables":
      return <TablesPreview preview={preview} />;
    case "mail":
      return <MailPreview preview={preview} />;
    case "text":
      return <PlainText text={preview.text} />;
    case "none":
      return (
        <div className="grid min-h-32 place-content-center justify-items-center gap-3 p-6 text-center text-quiet">
          <p>{previewWords.reasons[preview.reason]}</p>
          {preview.reason === "failed" && <Button onClick={onRetry}>{texts.tryAgain}</Button>}
        </div>
      );
  }
}

function PlainText({ text }: { readonly text: string }) {
  if (text.trim() === "")
    return <p className="p-6 text-center text-quiet">{previewWords.emptyText}</p>;
  return <p className="p-4 text-sm leading-6 whitespace-pre-wrap wrap-anywhere">{visible(text)}</p>;
}

function MailPreview({
  preview: { head, text, warnings, attachments },
}: {
  readonly preview: FilePreviewOf<"mail">;
}) {
  return (
    <>
      <dl
        aria-label={previewWords.mailHead}
        className="grid grid-cols-[5rem_minmax(0,1fr)] gap-x-3 gap-y-1 border-b border-edge bg-surface p-4 text-sm"
      >
        {head.map(({ name, value }) => (
          <div key={name} className="contents">
            <dt className="text-quiet">{name}</dt>
            <dd className="wrap-anywhere">
              {isTime(value) ? <Time at={value} /> : visible(value)}
            </dd>
          </div>
        ))}
      </dl>
      {warnings.map((warning) => (
        <p key={warning} className="border-b border-edge bg-bad-soft px-4 py-2 text-sm text-bad">
          {visible(warning)}
        </p>
      ))}
      <PlainText text={text} />
      {attachments.length > 0 && (
        <div className="border-t border-edge p-4 text-sm">
          <h3 className="m-0 mb-1 text-sm font-semibold text-quiet">{previewWords.attachments}</h3>
          <ul>
            {attachments.map(({ name, sizeBytes }, index) => (
              <li key={`${index} ${name}`} className="wrap-anywhere">
                {visible(name)} <span className="text-quiet">{formatBytes(sizeBytes)}</span>
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}

/** The parser writes the date of an email as an ISO time, if it can read it. */
function isTime(value: string): boolean {
  return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value);
}

import { formatBytes } from "@bron/protocol";
import { texts } from "../texts.ts";

/** The files of a task, each with a remove button. */
export function FileChips({
  files,
  onRemove,
}: {
  readonly files: readonly File[];
  readonly onRemove: (file: File) => void;
}) {
  if (files.length === 0) return null;
  return (
    <ul className="mb-2 flex flex-wrap gap-2 px-2">
      {files.map((file) => (
        <li
          key={keyOf(file)}
          className="flex max-w-full items-center gap-2 rounded-lg border border-edge bg-raised py-0.5 pl-2.5 text-sm"
        >
          <span className="truncate">{file.name}</span>
          <span className="text-xs whitespace-nowrap text-quiet">{formatBytes(file.size)}</span>
          <button
            type="button"
            aria-label={texts.removeFile(file.name)}
            onClick={() => onRemove(file)}
            className="size-8 border-0 bg-transparent p-0 text-quiet hover:text-ink"
          >
            ×
          </button>
        </li>
      ))}
    </ul>
  );
}

/** Adds files without duplicates. */
export function withFiles(before: readonly File[], added: Iterable<File>): readonly File[] {
  return [...new Map([...before, ...added].map((file) => [keyOf(file), file])).values()];
}

function keyOf({ name, size, lastModified }: File): string {
  return `${name} ${size} ${lastModified}`;
}

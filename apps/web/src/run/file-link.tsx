import { formatBytes } from "@bron/protocol";
import { texts } from "../texts.ts";

interface FileLinkProps {
  readonly file: { readonly name: string; readonly digest: string; readonly sizeBytes: number };
  /** What the file is, after its size. */
  readonly about?: string;
}

/** A file of a task, with its size. */
export function FileLink({ file: { name, digest, sizeBytes }, about }: FileLinkProps) {
  return (
    <p className="py-0.5 text-sm wrap-anywhere">
      <a
        href={`/api/artifacts/${encodeURIComponent(digest)}`}
        download={name}
        aria-label={texts.run.downloadFile(name)}
      >
        {name}
      </a>{" "}
      <span className="text-quiet">
        {[formatBytes(sizeBytes), ...(about === undefined ? [] : [about])].join(" · ")}
      </span>
    </p>
  );
}

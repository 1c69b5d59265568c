import type { FilePreviewOf } from "@bron/protocol";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { queries } from "../live/queries.ts";
import { texts } from "../texts.ts";
import { previewWords } from "../words/preview.ts";
import { Problem } from "../ui/states.tsx";
import type { PreviewedFile } from "./previewed-file.ts";

interface ImagePreviewProps {
  readonly preview: FilePreviewOf<"image">;
  readonly file: PreviewedFile;
}

/** The image's own bytes, with the type that the parser verified. */
export function ImagePreview({ preview, file }: ImagePreviewProps) {
  const { mediaType, width, height } = preview;
  const bytes = useQuery(queries.bytes(file.digest));
  const address = useBlobAddress(bytes.data, mediaType);
  const [isBroken, setBroken] = useState(false);
  if (isBroken) return <p className="p-6 text-center text-quiet">{previewWords.notShown}</p>;
  if (bytes.error !== null)
    return <Problem error={bytes.error} onRetry={() => void bytes.refetch()} />;
  // Keeps its place while it loads, so that nothing jumps.
  return (
    <div className="flex min-h-32 items-center justify-center bg-raised p-3">
      {address === undefined ? (
        <span role="status" className="animate-pulse text-sm text-quiet">
          {texts.loading}
        </span>
      ) : (
        <img
          src={address}
          width={width}
          height={height}
          alt={previewWords.image(file.name)}
          onError={() => setBroken(true)}
          className="h-auto max-h-[60dvh] w-auto max-w-full object-contain"
        />
      )}
    </div>
  );
}

function useBlobAddress(bytes: Uint8Array | undefined, type: string): string | undefined {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    if (!bytes) return;
    const created = URL.createObjectURL(new Blob([new Uint8Array(bytes)], { type }));
    setAddress(created);
    return () => URL.revokeObjectURL(created);
  }, [bytes, type]);
  return address;
}

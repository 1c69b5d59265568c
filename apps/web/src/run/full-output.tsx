import { formatBytes, visible, type KeptOutput } from "@bron/protocol";
import { useState } from "react";
import { api } from "../api.ts";
import { texts } from "../texts.ts";
import { Button, buttonClass } from "../ui/button.tsx";
import { Problem } from "../ui/states.tsx";

/** More than this would make the page slow. It can still be downloaded. */
const maxShownBytes = 2 * 1024 * 1024;

/** Shows or downloads an output of which the timeline has only a preview. */
export function FullOutput({ kept }: { readonly kept: KeptOutput }) {
  const [text, setText] = useState<string>();
  const [error, setError] = useState<unknown>();
  const [isLoading, setIsLoading] = useState(false);
  const show = async () => {
    setIsLoading(true);
    setError(undefined);
    try {
      const bytes = await api.readArtifact(kept.digest);
      setText(visible(new TextDecoder().decode(bytes)));
    } catch (failure) {
      setError(failure);
    } finally {
      setIsLoading(false);
    }
  };
  return (
    <div className="min-w-0">
      <p className="mb-2 text-xs text-quiet">
        {texts.run.shortened(kept.characters)} {formatBytes(kept.sizeBytes)}
      </p>
      <div className="flex flex-wrap gap-2">
        {text === undefined && kept.sizeBytes <= maxShownBytes && (
          <Button disabled={isLoading} onClick={() => void show()}>
            {isLoading ? texts.loading : texts.run.showFull}
          </Button>
        )}
        <a
          className={buttonClass("plain")}
          href={`/api/artifacts/${encodeURIComponent(kept.digest)}`}
          download={kept.name}
        >
          {texts.run.downloadFull}
        </a>
      </div>
      <Problem error={error} />
      {text !== undefined && (
        <pre
          tabIndex={0}
          aria-label={texts.run.fullOutput}
          className="mt-3 mb-0 max-h-96 overflow-auto text-xs whitespace-pre-wrap wrap-anywhere"
        >
          {text}
        </pre>
      )}
    </div>
  );
}

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "../api.ts";
import { queries } from "../live/queries.ts";
import { texts } from "../texts.ts";
import { Ago } from "../time.tsx";
import { Button } from "../ui/button.tsx";
import { Problem } from "../ui/states.tsx";
import { FileLink } from "./file-link.tsx";
import type { FileItem } from "./item.ts";

/** A file among the steps. */
export function StepFile({ file }: { readonly file: FileItem }) {
  return file.effectId === undefined ? (
    <FileLink file={file} />
  ) : (
    <PreviousVersion file={file} effectId={file.effectId} />
  );
}

/** The text that a step replaced. The owner can restore it once. */
function PreviousVersion({
  file,
  effectId,
}: {
  readonly file: FileItem;
  readonly effectId: string;
}) {
  const client = useQueryClient();
  const { queryKey, ...query } = queries.effect(effectId);
  const { data: effect } = useQuery({ queryKey, ...query });
  const restore = useMutation({
    mutationFn: () => api.call("POST /api/effects/:id/restore", { params: { id: effectId } }),
    onSuccess: (next) => client.setQueryData(queryKey, next),
    // Another tab may have restored it first.
    onError: () => void client.invalidateQueries({ queryKey }),
  });
  const restoredAt = effect?.restoredAt ?? undefined;
  return (
    <div className="text-sm">
      <div className="flex flex-wrap items-center gap-x-3">
        <FileLink file={file} />
        {effect && restoredAt === undefined && (
          <Button
            kind="quiet"
            aria-label={texts.run.restoreFile(file.name)}
            isBusy={restore.isPending}
            onClick={() => restore.mutate()}
          >
            {texts.run.restore}
          </Button>
        )}
      </div>
      {restoredAt !== undefined && (
        <p role="status" className="pb-0.5 text-quiet">
          {texts.run.restored} <Ago at={restoredAt} />
        </p>
      )}
      <Problem error={restore.error} />
    </div>
  );
}

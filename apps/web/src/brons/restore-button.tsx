import { visible, type BronView } from "@bron/protocol";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "../api.ts";
import { queries } from "../live/queries.ts";
import { bronsWords } from "../words/brons.ts";
import { Button } from "../ui/button.tsx";
import { Refused } from "../ui/refused.tsx";

/** Takes a Bron out of the archive. */
export function RestoreButton({ bron }: { readonly bron: BronView }) {
  const client = useQueryClient();
  const restore = useMutation({
    mutationFn: () =>
      api.call("POST /api/brons/:id/restore", { params: { id: bron.id }, body: {} }),
    onSuccess(restored) {
      client.setQueryData(queries.bron(bron.id).queryKey, restored);
      void client.invalidateQueries({ queryKey: ["brons"] });
    },
  });
  return (
    <>
      <Button
        aria-label={bronsWords.restoreOne(visible(bron.name))}
        isBusy={restore.isPending}
        onClick={() => restore.mutate()}
      >
        {bronsWords.restore}
      </Button>
      <Refused error={restore.error} />
    </>
  );
}

import { omitUndefined, type BronView, type ChangedBron } from "@bron/protocol";
import { useQueryClient } from "@tanstack/react-query";
import { api } from "../api.ts";
import { queries } from "../live/queries.ts";
import { useOptimistic } from "../live/use-optimistic.ts";

/** Changes fields of a Bron. The page shows them at once. */
export function useChangedBron(bronId: string) {
  const client = useQueryClient();
  const change = useOptimistic({
    queryKey: queries.bron(bronId).queryKey,
    request: (body: ChangedBron) =>
      api.call("PATCH /api/brons/:id", { params: { id: bronId }, body }),
    predict: (before, body) => ({
      ...before,
      ...(body as Partial<BronView>),
      ...(body.systemPrompt === undefined ? {} : { personaSource: "typed" as const }),
    }),
    read: (response) => response,
  });
  const onSuccess = () => {
    void client.invalidateQueries({ queryKey: ["brons"] });
    void client.invalidateQueries({ queryKey: ["permissions"] });
  };
  return {
    error: change.error,
    isPending: change.isPending,
    isSuccess: change.isSuccess,
    mutate: (body: ChangedBron, onError?: () => void) =>
      change.mutate(body, { onSuccess, ...omitUndefined({ onError }) }),
  };
}

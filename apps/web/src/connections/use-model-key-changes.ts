import type { ModelKeyProvider, ModelKeyView } from "@bron/protocol";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "../api.ts";
import { queries } from "../live/queries.ts";
import { useOptimistic } from "../live/use-optimistic.ts";

/** What can be done with a stored key. */
export function useModelKeyChanges() {
  const client = useQueryClient();
  const remove = useOptimistic({
    queryKey: queries.modelKeys().queryKey,
    request: (provider: ModelKeyProvider) =>
      api.call("DELETE /api/model-keys/:provider", { params: { provider } }),
    predict: (before, provider) => before.filter((key) => key.provider !== provider),
    read: ({ modelKeys }) => modelKeys,
  });
  const onKeys = ({ modelKeys }: { modelKeys: ModelKeyView[] }) => {
    client.setQueryData(queries.modelKeys().queryKey, modelKeys);
    void client.invalidateQueries({ queryKey: ["models"] });
  };
  const accept = useMutation({
    mutationFn: (provider: ModelKeyProvider) =>
      api.call("POST /api/model-keys/:provider/accept", { params: { provider }, body: {} }),
    onSuccess: onKeys,
  });
  const test = useMutation({
    mutationFn: (provider: ModelKeyProvider) =>
      api.call("POST /api/model-keys/:provider/test", { params: { provider }, body: {} }),
    onSuccess: onKeys,
    // A key that the provider rejects is removed.
    onError: () => void client.refetchQueries({ queryKey: queries.modelKeys().queryKey }),
  });
  return { accept, test, remove };
}

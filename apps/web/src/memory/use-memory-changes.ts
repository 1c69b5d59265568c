import type { MemoryEntry, MemoryKind } from "@bron/protocol";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "../api.ts";

interface Statement {
  readonly text: string;
  readonly kind: MemoryKind;
  readonly bronId: string | null;
}

/** The owner's changes of what is remembered. The lists are read again after each. */
export function useMemoryChanges() {
  const client = useQueryClient();
  const onSuccess = async () => {
    await client.invalidateQueries({ queryKey: ["memory"] });
    // Forgetting also changes summaries.
    void client.invalidateQueries({ queryKey: ["bron"] });
  };
  const confirm = useMutation({
    mutationFn: ({ id }: MemoryEntry) =>
      api.call("POST /api/memory/:id/confirm", { params: { id }, body: {} }),
    onSuccess,
  });
  const forget = useMutation({
    mutationFn: ({ id }: MemoryEntry) =>
      api.call("POST /api/memory/:id/forget", { params: { id }, body: {} }),
    onSuccess,
  });
  const save = useMutation({
    mutationFn: ({ id, ...body }: Statement & { readonly id?: string }) =>
      id === undefined
        ? api.call("POST /api/memory", { body })
        : api.call("PATCH /api/memory/:id", { params: { id }, body }),
    onSuccess,
  });
  return { confirm, forget, save };
}

import { useMutation, useQueryClient, type DataTag, type QueryKey } from "@tanstack/react-query";

interface OptimisticOptions<Data, Input, Response> {
  readonly queryKey: DataTag<QueryKey, Data, Error>;
  request(input: Input): Promise<Response>;
  /** The value that is shown until the server responds. */
  predict(before: Data, input: Input): Data;
  /** Reads the new value from the response. Without it, the query is refetched. */
  read?(response: Response): Data;
}

/** A mutation that is shown at once and rolled back if the server rejects it. */
export function useOptimistic<Data, Input, Response>({
  queryKey,
  request,
  predict,
  read,
}: OptimisticOptions<Data, Input, Response>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: request,
    async onMutate(input: Input) {
      await client.cancelQueries({ queryKey });
      const before = client.getQueryData<Data>(queryKey);
      if (before !== undefined) client.setQueryData<Data>(queryKey, predict(before, input));
      return { before };
    },
    onError(_error, _input, context) {
      if (context?.before !== undefined) client.setQueryData<Data>(queryKey, context.before);
      void client.invalidateQueries({ queryKey });
    },
    onSuccess(response) {
      if (read) client.setQueryData<Data>(queryKey, read(response));
      else void client.invalidateQueries({ queryKey });
    },
  });
}

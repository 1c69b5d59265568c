import { useMutation, useQueryClient, type DataTag, type QueryKey } from "@tanstack/react-query";

interface OptimisticDeps<Data, Given, Answer> {
  readonly queryKey: DataTag<QueryKey, Data, Error>;
  ask(given: Given): Promise<Answer>;
  /** What is shown until the server has answered. */
  guess(before: Data, given: Given): Data;
  /** The server's word in place of the guess; without it, it is asked for. */
  read?(answer: Answer): Data;
}

/** A change that is shown at once, and taken back if the server does not make it. */
export function useOptimistic<Data, Given, Answer>({
  queryKey,
  ask,
  guess,
  read,
}: OptimisticDeps<Data, Given, Answer>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ask,
    async onMutate(given: Given) {
      await client.cancelQueries({ queryKey });
      const before = client.getQueryData<Data>(queryKey);
      if (before !== undefined) client.setQueryData<Data>(queryKey, guess(before, given));
      return { before };
    },
    onError(_error, _given, context) {
      if (context?.before !== undefined) client.setQueryData<Data>(queryKey, context.before);
      void client.invalidateQueries({ queryKey });
    },
    onSuccess(answer) {
      if (read) client.setQueryData<Data>(queryKey, read(answer));
      else void client.invalidateQueries({ queryKey });
    },
  });
}

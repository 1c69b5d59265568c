import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { renderToString } from "react-dom/server";

export function testQueryClient(): QueryClient {
  return new QueryClient({ defaultOptions: { queries: { retry: false } } });
}

/**
 * Renders a hook once and returns its result. Effects do not run, because there is no document. The
 * functions that a hook returns work, and change the client.
 */
export function renderHook<Result>(client: QueryClient, hook: () => Result): Result {
  let result: { readonly value: Result } | undefined;
  const Caller = () => {
    result = { value: hook() };
    return null;
  };
  renderToString(
    <QueryClientProvider client={client}>
      <Caller />
    </QueryClientProvider>,
  );
  if (!result) throw new Error("The hook was not called");
  return result.value;
}

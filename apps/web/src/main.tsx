import { ClientError } from "@bron/client";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { keepAppShell } from "./layout/app-shell.ts";
import { components } from "./layout/lazy-components.ts";
import { pages, router } from "./router.tsx";
import { applyTheme } from "./settings/theme.ts";
import "./styles.css";

applyTheme();
keepAppShell();
// From then on, every page opens without the server.
onIdle(() => void Promise.all([pages.preloadAll(), components.preloadAll()]));

/**
 * Cached data stays visible while it is refetched. An error that is not retryable is not retried.
 */
const client = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (tries, error) => tries < 3 && (!ClientError.is(error) || error.retryable),
      networkMode: "always",
    },
    mutations: { networkMode: "always" },
  },
});

const place = document.getElementById("root");
if (place) {
  createRoot(place).render(
    <StrictMode>
      <QueryClientProvider client={client}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  );
}

/** Safari has no idle callback. */
function onIdle(run: () => void): void {
  if ("requestIdleCallback" in globalThis) requestIdleCallback(run, { timeout: 5_000 });
  else setTimeout(run, 2_000);
}

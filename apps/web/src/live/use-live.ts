import type { Change, ConnectionState } from "@bron/client";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { api } from "../api.ts";
import { applyChange, refetchAll } from "./apply-change.ts";
import { browserTabs } from "./browser-tabs.ts";
import { createRefetcher } from "./refetcher.ts";
import { shareFeed } from "./shared-feed.ts";
import { useOnline } from "./use-online.ts";

type Item = { readonly change: Change } | { readonly state: ConnectionState };

const refetchPauseMs = 250;

/** Subscribes to all runs of the owner while the page is open, and returns the connection state. */
export function useLive(): ConnectionState {
  const client = useQueryClient();
  const [state, setState] = useState<ConnectionState>("live");
  const isOnline = useOnline();
  useEffect(() => {
    const unmounted = new AbortController();
    const { signal } = unmounted;
    const refetcher = createRefetcher(client, refetchPauseMs);
    shareFeed<Item>(browserTabs, {
      name: "bron-changes",
      signal,
      async read(tell) {
        const onConnection = (connection: ConnectionState) => tell({ state: connection });
        for await (const change of api.changes({ signal, onConnection })) tell({ change });
      },
      onItem(item) {
        if ("state" in item) setState(item.state);
        else if (item.change.kind === "reset") refetchAll(client);
        else applyChange(client, item.change.change, refetcher.invalidate);
      },
      // Requests that are under way see what this tab may have missed.
      onGap: () => refetchAll(client),
      // Only an ended session cannot be retried. Every other request will report it.
    }).catch(() => setState("reconnecting"));
    return () => {
      unmounted.abort();
      refetcher.stop();
    };
  }, [client]);
  return isOnline ? state : "offline";
}

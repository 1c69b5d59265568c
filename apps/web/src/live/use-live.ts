import type { ConnectionState } from "@bron/client";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { api } from "../api.ts";
import { applyChange, refetchAll } from "./apply-change.ts";
import { useOnline } from "./use-online.ts";

/** Subscribes to all runs of the owner while the page is open, and returns the connection state. */
export function useLive(): ConnectionState {
  const client = useQueryClient();
  const [state, setState] = useState<ConnectionState>("live");
  const isOnline = useOnline();
  useEffect(() => {
    const unmounted = new AbortController();
    const subscribe = async () => {
      for await (const change of api.changes({
        signal: unmounted.signal,
        onConnection: setState,
      })) {
        if (change.kind === "reset") refetchAll(client);
        else applyChange(client, change.change);
      }
    };
    // Only an ended session cannot be retried. Every other request will report it.
    subscribe().catch(() => setState("reconnecting"));
    return () => unmounted.abort();
  }, [client]);
  return isOnline ? state : "offline";
}

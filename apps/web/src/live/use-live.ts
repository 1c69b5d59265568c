import type { ConnectionState } from "@bron/client";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { api } from "../api.ts";
import { applyChange, askAgain } from "./queries.ts";
import { useOnline } from "./use-online.ts";

/** Subscribes to all runs of the owner while the page is open, and returns the connection state. */
export function useLive(): ConnectionState {
  const client = useQueryClient();
  const [state, setState] = useState<ConnectionState>("live");
  const isOnline = useOnline();
  useEffect(() => {
    const leaving = new AbortController();
    const follow = async () => {
      for await (const change of api.changes({ signal: leaving.signal, onConnection: setState })) {
        if (change.kind === "reset") askAgain(client);
        else applyChange(client, change.change);
      }
    };
    // Only an ended session cannot be retried. Every other request will report it.
    follow().catch(() => setState("reconnecting"));
    return () => leaving.abort();
  }, [client]);
  return isOnline ? state : "offline";
}

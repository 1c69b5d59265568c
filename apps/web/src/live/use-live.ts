import type { ConnectionState } from "@bron/client";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { api } from "../api.ts";
import { applyChange, askAgain } from "./queries.ts";
import { useOnline } from "./use-online.ts";

/** Follows all runs of the owner for as long as the page is open, and says how the connection is. */
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
    // What waiting cannot mend is a session that has ended: every other question will say so.
    follow().catch(() => setState("reconnecting"));
    return () => leaving.abort();
  }, [client]);
  return isOnline ? state : "offline";
}

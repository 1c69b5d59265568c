import type { ConnectionState } from "@bron/client";
import { createContext, useContext, useEffect } from "react";

/** Where a task reports how its stream is. The header of the page says it. */
export const ConnectionContext = createContext<(state: ConnectionState) => void>(() => undefined);

export function useReportedConnection(state: ConnectionState): void {
  const report = useContext(ConnectionContext);
  useEffect(() => {
    report(state);
    return () => report("live");
  }, [report, state]);
}

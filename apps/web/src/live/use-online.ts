import { useSyncExternalStore } from "react";
import { network } from "./network.ts";

export function useOnline(): boolean {
  return useSyncExternalStore(network.onChange, network.isOnline);
}

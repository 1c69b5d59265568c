import type { AboutView } from "@bron/protocol";
import { api } from "./api.ts";
import { useLoad } from "./use-load.ts";

export function useAbout(): AboutView | undefined {
  return useLoad("about", api.about).value;
}

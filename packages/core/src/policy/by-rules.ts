import type { Policy } from "./policy.ts";
import { judge } from "./judge.ts";

/** Decides by the owner's rules and by the minimum that holds regardless of them. */
export const byRules: Policy = ({ tool, seenBy }, view) => judge({ tool, seenBy, ...view });

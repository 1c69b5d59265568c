import type { Policy } from "../ports.ts";
import { judge } from "./judge.ts";

/** The owner's rules, and the floor that holds whatever they say. */
export const byRules: Policy = ({ tool, seenBy }, view) => judge({ tool, seenBy, ...view });

import type { Policy } from "../ports.ts";

/** The supervised level: every side effect that others can see needs a human. */
export const supervised: Policy = (effect) =>
  effect.seenBy === "owner" ? { verdict: "allow", reasons: ["Only you can see what it changes."] } : { verdict: "ask", reasons: [`${effect.tool} changes something outside Bron.`] };

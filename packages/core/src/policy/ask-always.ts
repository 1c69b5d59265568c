import type { Policy } from "../ports.ts";

/** The supervised level: every side effect needs a human. */
export const askAlways: Policy = (effect) => ({ verdict: "ask", reasons: [`${effect.tool} changes something outside Bron.`] });

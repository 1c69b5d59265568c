import type { Sign } from "./sign.ts";

/** Whoever can read the home's secret is its owner: the terminal shows this instead of a cookie. */
export function terminalToken(sign: Sign, ownerId: string): string {
  return sign("cli", ownerId);
}

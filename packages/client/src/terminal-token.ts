import type { Sign } from "./sign.ts";

export const terminalTokenSeconds = 120;

interface TerminalTokenOf {
  readonly sign: Sign;
  readonly ownerId: string;
  readonly serverId: string;
  /** Epoch seconds, at most `terminalTokenSeconds` from now. */
  readonly expiresAt: number;
}

/**
 * Whoever can read the home's secret is its owner: the terminal shows this instead of a cookie. It is good for one server and a short time,
 * so that a program that took a dead server's port and got one can do nothing with it elsewhere.
 */
export function terminalToken({ sign, ownerId, serverId, expiresAt }: TerminalTokenOf): string {
  return `v1.${expiresAt}.${sign("terminal", `${ownerId}\n${serverId}\n${expiresAt}`)}`;
}

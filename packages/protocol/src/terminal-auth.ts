import type { Sign } from "./sign.ts";

export const terminalTokenSeconds = 120;

interface TerminalTokenInput {
  readonly sign: Sign;
  readonly ownerId: string;
  readonly serverId: string;
  /** Epoch seconds, at most `terminalTokenSeconds` from now. */
  readonly expiresAt: number;
}

/**
 * Authenticates the CLI, which has no cookie. Anyone who can read the secret of the home is its
 * owner. A token is valid for one server and a short time, so that a program that took over a dead
 * server's port and received one cannot use it elsewhere.
 */
export function terminalToken({ sign, ownerId, serverId, expiresAt }: TerminalTokenInput): string {
  return `v1.${expiresAt}.${sign("terminal", `${ownerId}\n${serverId}\n${expiresAt}`)}`;
}

/**
 * Proves to the CLI that a server knows the secret of its home. The proof reveals nothing that can be
 * reused.
 */
export function serverProof(sign: Sign, serverId: string, challenge: string): string {
  return sign("server", `${serverId}\n${challenge}`);
}

import { terminalToken, terminalTokenSeconds, type Sign } from "@bron/client";
import { isSameText } from "./same-text.ts";

interface TerminalOf {
  readonly sign: Sign;
  readonly ownerId: string;
  readonly serverId: string;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** Whether an Authorization header is the owner's terminal's, made for this server and still good. */
export function isTerminal(
  authorization: string,
  { sign, ownerId, serverId, now }: TerminalOf,
): boolean {
  const expiresAt = Number(/^Bearer v1\.(\d{1,12})\./.exec(authorization)?.[1]);
  const leftSeconds = expiresAt - now / 1_000;
  const isGood = leftSeconds > 0 && leftSeconds <= terminalTokenSeconds;
  return (
    isSameText(authorization, `Bearer ${terminalToken({ sign, ownerId, serverId, expiresAt })}`) &&
    isGood
  );
}

import { terminalToken, terminalTokenSeconds, type Sign } from "@bron/protocol";
import { isSameText } from "./same-text.ts";

interface TerminalCheck {
  readonly sign: Sign;
  readonly ownerId: string;
  readonly serverId: string;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** Whether an Authorization header holds a valid token of the owner's terminal for this server. */
export function isTerminal(
  authorization: string,
  { sign, ownerId, serverId, now }: TerminalCheck,
): boolean {
  const expiresAt = Number(/^Bearer v1\.(\d{1,12})\./.exec(authorization)?.[1]);
  const leftSeconds = expiresAt - now / 1_000;
  const isInTime = leftSeconds > 0 && leftSeconds <= terminalTokenSeconds;
  return (
    isSameText(authorization, `Bearer ${terminalToken({ sign, ownerId, serverId, expiresAt })}`) &&
    isInTime
  );
}

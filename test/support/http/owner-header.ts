import { terminalToken, type Sign } from "@bron/protocol";

interface Changes {
  readonly ownerId?: string;
  readonly serverId?: string;
  /** Seconds from now. */
  readonly goodFor?: number;
}

/** The Authorization header that the owner's terminal sends. */
export function ownerHeader(
  { sign }: { readonly sign: Sign },
  { ownerId = "local", serverId = "s", goodFor = 60 }: Changes = {},
): string {
  return `Bearer ${terminalToken({ sign, ownerId, serverId, expiresAt: Math.floor(Date.now() / 1_000) + goodFor })}`;
}

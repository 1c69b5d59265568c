import { trustLevels, type TrustLevel } from "@bron/protocol";

/** The lower one of a trust level and what limits it. */
export function lowerTrust(level: TrustLevel, limit: TrustLevel | null): TrustLevel {
  if (limit === null) return level;
  return trustLevels[Math.min(trustLevels.indexOf(level), trustLevels.indexOf(limit))] ?? level;
}

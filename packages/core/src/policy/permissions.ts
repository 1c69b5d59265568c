import type { AllowedView, GrantView, PermissionsView, RuleView, TrustLevel } from "@bron/protocol";
import type { PolicyRules } from "./rules.ts";

/**
 * The owner's rules about effects. The owner can list and revoke them. Every call names the owner.
 * Data of another owner is reported as not found.
 */
export interface Permissions {
  /** The rules of a Bron now. The switch for side effects is not stored. Throws not_found. */
  rules(run: RulesOf): Promise<Omit<PolicyRules, "sideEffects">>;
  /** Everything, with the trust level of the default Bron. */
  view(ownerId: string): Promise<PermissionsView>;
  /** Counts a use of each grant that allowed an effect. */
  countUses(ownerId: string, grantIds: readonly string[]): Promise<void>;
  /** `null` means the owner's default Bron. */
  trustLevel(ownerId: string, bronId: string | null): Promise<TrustLevel>;
  setTrustLevel(ownerId: string, bronId: string | null, level: TrustLevel): Promise<void>;
  listRules(ownerId: string): Promise<RuleView[]>;
  /** One rule per tool and Bron. A new rule replaces the previous one. */
  putRule(ownerId: string, rule: Pick<RuleView, "bronId" | "tool" | "verdict">): Promise<RuleView>;
  removeRule(ownerId: string, id: string): Promise<void>;
  listAllowed(ownerId: string): Promise<AllowedView[]>;
  /** Accepts an address or a domain. Throws invalid_input for anything else. */
  allow(ownerId: string, value: string): Promise<AllowedView>;
  disallow(ownerId: string, id: string): Promise<void>;
  listGrants(ownerId: string): Promise<GrantView[]>;
  grant(
    ownerId: string,
    grant: Pick<GrantView, "bronId" | "tool" | "recipient"> & { readonly days: number },
  ): Promise<GrantView>;
  revoke(ownerId: string, id: string): Promise<void>;
}

interface RulesOf {
  readonly ownerId: string;
  readonly bronId: string;
}

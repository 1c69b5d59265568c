import {
  effectGroups,
  type AllowedView,
  type EffectGroup,
  type EffectSetting,
  type GrantView,
  type PermissionsView,
  type RuleView,
  type TrustLevel,
} from "@bron/protocol";
import type { PolicyRules } from "./rules.ts";

/**
 * The owner's rules about effects. The owner can list and revoke them. Every call names the owner.
 * Data of another owner is reported as not found.
 */
export interface Permissions {
  /** The rules of a Bron now. The switch for side effects is not stored. Throws not_found. */
  rules(run: RulesOf): Promise<Omit<PolicyRules, "sideEffects">>;
  /** Everything, with the trust level of the default Bron. */
  view(ownerId: string): Promise<Omit<PermissionsView, "defaultUndoSeconds">>;
  /** Counts a use of each grant that allowed an effect. */
  countUses(ownerId: string, grantIds: readonly string[]): Promise<void>;
  /** `null` means the owner's default Bron. */
  trustLevel(ownerId: string, bronId: string | null): Promise<TrustLevel>;
  setTrustLevel(ownerId: string, bronId: string | null, level: TrustLevel): Promise<void>;
  listRules(ownerId: string): Promise<RuleView[]>;
  /**
   * One rule per tool, host, server and Bron. A new rule replaces the previous one. Throws
   * invalid_input for a host that is none.
   */
  putRule(
    ownerId: string,
    rule: Pick<RuleView, "bronId" | "tool" | "verdict"> &
      Partial<Pick<RuleView, "host" | "server">>,
  ): Promise<RuleView>;
  removeRule(ownerId: string, id: string): Promise<void>;
  setEffect(ownerId: string, setting: EffectSetting): Promise<void>;
  /**
   * The setting for the kind of an approval. The kind is `other` if there is no such approval, or if
   * its kind is unknown.
   */
  effectSettingOf(ownerId: string, approvalId: string): Promise<EffectSetting>;
  /** How long effects of a kind can be undone. Null: the owner has not set it. */
  undoSecondsOf(ownerId: string, kind: EffectGroup): Promise<number | null>;
  listAllowed(ownerId: string): Promise<AllowedView[]>;
  /** Accepts an address or a domain. Throws invalid_input for anything else. */
  allow(ownerId: string, value: string): Promise<AllowedView>;
  disallow(ownerId: string, id: string): Promise<void>;
  listGrants(ownerId: string): Promise<GrantView[]>;
  /** Throws invalid_input unless it names one recipient, one host or one server. */
  grant(
    ownerId: string,
    grant: Pick<GrantView, "bronId" | "tool"> &
      Partial<Pick<GrantView, "recipient" | "host" | "server" | "includesPrivate">> & {
        readonly days: number;
      },
  ): Promise<GrantView>;
  revoke(ownerId: string, id: string): Promise<void>;
}

interface RulesOf {
  readonly ownerId: string;
  readonly bronId: string;
}

/** The settings for all groups, with null for those that the owner has not set. */
export function allEffectSettings(set: readonly EffectSetting[]): EffectSetting[] {
  return effectGroups.map(
    (kind) => set.find((setting) => setting.kind === kind) ?? defaultEffectSetting(kind),
  );
}

export const defaultEffectSetting = (kind: EffectGroup): EffectSetting => ({
  kind,
  undoSeconds: null,
  approvalsPerMinute: null,
});

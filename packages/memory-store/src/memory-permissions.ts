import {
  defaultEffectSetting,
  requireContact,
  requireHostPattern,
  type Permissions,
  type PolicyRules,
} from "@bron/core";
import {
  effectGroups,
  type AllowedView,
  type EffectGroup,
  type EffectSetting,
} from "@bron/protocol";
import { ensureBron, findBron } from "./memory-brons.ts";
import { listGrants, memoryGrants, requireBron } from "./memory-grants.ts";
import { runsOf, stamp, type MemoryState } from "./memory-state.ts";
import { missing, noteChange, remove, viewsOf } from "./owned-rows.ts";

export function memoryPermissions(state: MemoryState): Permissions {
  const { rules, allowed, uuid } = state;
  const trustLevel = (ownerId: string, bronId: string | null) =>
    ensureBron(state, ownerId, bronId).trustLevel;
  return {
    trustLevel: async (ownerId, bronId) => trustLevel(ownerId, bronId),
    listRules: async (ownerId) => viewsOf(rules, ownerId),
    listAllowed: async (ownerId) => viewsOf(allowed, ownerId),
    ...memoryGrants(state),
    view: async (ownerId) => ({
      trustLevel: trustLevel(ownerId, null),
      rules: viewsOf(rules, ownerId),
      allowed: viewsOf(allowed, ownerId),
      grants: listGrants(state, ownerId),
      effects: settingsOf(state, ownerId),
    }),
    rules: async ({ ownerId, bronId }) => storedRulesOf(state, ownerId, bronId),
    async setTrustLevel(ownerId, bronId, level) {
      const bron = ensureBron(state, ownerId, bronId);
      bron.trustLevel = level;
      noteChange(state, ownerId, "trust.changed", { bronId: bron.id, trustLevel: level });
    },
    async setEffect(ownerId, setting) {
      ensureBron(state, ownerId);
      state.effectSettings.set(settingKey(ownerId, setting.kind), setting);
      noteChange(state, ownerId, "effect_setting.changed", { ...setting });
    },
    undoSecondsOf: async (ownerId, kind) =>
      state.effectSettings.get(settingKey(ownerId, kind))?.undoSeconds ?? null,
    async effectSettingOf(ownerId, approvalId) {
      const kind = kindOf(state, ownerId, approvalId) ?? "other";
      return state.effectSettings.get(settingKey(ownerId, kind)) ?? defaultEffectSetting(kind);
    },
    async putRule(ownerId, { bronId, tool, verdict, host: text = null, server = null }) {
      const host = text === null ? null : requireHostPattern(text);
      requireBron(state, ownerId, bronId);
      const known = viewsOf(rules, ownerId).find(
        (rule) =>
          rule.bronId === bronId &&
          rule.tool === tool &&
          rule.host === host &&
          rule.server === server,
      );
      const rule = known
        ? { ...known, verdict }
        : { id: uuid(), bronId, tool, host, server, verdict, createdAt: stamp(state) };
      rules.set(rule.id, { ...rule, ownerId });
      noteChange(state, ownerId, "rule.changed", rule);
      return rule;
    },
    async removeRule(ownerId, id) {
      noteChange(state, ownerId, "rule.removed", remove(rules, ownerId, { id, what: "rule" }));
    },
    async allow(ownerId, text) {
      const { kind, value, name } = requireContact(text);
      ensureBron(state, ownerId);
      const known = viewsOf(allowed, ownerId).find((entry) => entry.value === value);
      const entry = known
        ? { ...known, kind, name: name ?? known.name }
        : { id: uuid(), kind, value, name, createdAt: stamp(state) };
      allowed.set(entry.id, { ...entry, ownerId });
      noteChange(state, ownerId, "allowed.added", entry);
      return entry;
    },
    async disallow(ownerId, id) {
      noteChange(
        state,
        ownerId,
        "allowed.removed",
        remove(allowed, ownerId, { id, what: "entry" }),
      );
    },
  };
}

const settingKey = (ownerId: string, kind: EffectGroup) => `${kind} ${ownerId}`;

function settingsOf({ effectSettings }: MemoryState, ownerId: string): EffectSetting[] {
  return effectGroups.map(
    (kind) => effectSettings.get(settingKey(ownerId, kind)) ?? defaultEffectSetting(kind),
  );
}

function kindOf(state: MemoryState, ownerId: string, approvalId: string): EffectGroup | null {
  const run = runsOf(state, ownerId).find(({ approvals }) => approvals.has(approvalId));
  return run?.approvals.get(approvalId)?.kind ?? null;
}

const concernsBron = (bronId: string) => (row: { readonly bronId: string | null }) =>
  row.bronId === null || row.bronId === bronId;

/** The rules of a Bron, and those of all Brons of its owner. */
export function rulesOf(
  { rules }: Pick<MemoryState, "rules">,
  { ownerId, bronId }: { readonly ownerId: string; readonly bronId: string },
): PolicyRules["rules"] {
  return viewsOf(rules, ownerId)
    .filter(concernsBron(bronId))
    .map(({ tool, host, server, verdict, bronId: of }) => ({
      tool,
      host,
      server,
      verdict,
      ofBron: of !== null,
    }));
}

function storedRulesOf(state: MemoryState, ownerId: string, bronId: string) {
  const bron = findBron(state, ownerId, bronId);
  if (!bron) throw missing("Bron");
  const valuesOf = (kind: AllowedView["kind"]) =>
    new Set(
      viewsOf(state.allowed, ownerId)
        .filter((entry) => entry.kind === kind)
        .map(({ value }) => value),
    );
  return {
    trustLevel: bron.trustLevel,
    rules: rulesOf(state, { ownerId, bronId }),
    people: valuesOf("person"),
    contactNames: new Map(
      viewsOf(state.allowed, ownerId).flatMap(({ value, name }) =>
        name === null ? [] : [[value, name] as const],
      ),
    ),
    domains: valuesOf("domain"),
    grants: viewsOf(state.grants, ownerId)
      .filter(
        (grant) =>
          concernsBron(bronId)(grant) &&
          grant.revokedAt === null &&
          Date.parse(grant.expiresAt) > state.now(),
      )
      .map(({ id, tool, recipient, host, server, includesPrivate }) => ({
        id,
        tool,
        recipient,
        host,
        server,
        includesPrivate,
      })),
  };
}

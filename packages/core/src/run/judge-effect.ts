import { omitUndefined, type RiskReason } from "@bron/protocol";
import { normalizeAddress } from "../policy/names.ts";
import type { Permissions } from "../policy/permissions.ts";
import type { Policy, ProposedEffect } from "../policy/policy.ts";
import type { PolicyDecision } from "../policy/policy-decision.ts";
import { grantFor } from "../policy/rules.ts";
import { noLabels, type RunLabels } from "../policy/run-labels.ts";
import type { RunHeader } from "../ports/run-log.ts";
import type { Tool } from "../tool/tool.ts";

export interface JudgeDeps {
  readonly policy: Policy;
  readonly permissions: Pick<Permissions, "rules">;
  /** False denies every effect, whatever the rules say. */
  readonly sideEffects: boolean;
}

export interface JudgeContext {
  readonly run: RunHeader;
  /** Labels of what the run has read so far, and of the context before it. */
  readonly labels: () => Promise<RunLabels>;
  /** Returns a risk if the retried run has done, or may have done, an effect of this tool. */
  readonly repeats: (tool: Tool) => RiskReason | undefined;
}

interface Judged {
  readonly tool: Tool;
  readonly effect: ProposedEffect;
  readonly isApproved?: boolean;
  /** The fields that the owner edited. */
  readonly edited?: string;
}

/**
 * Judges by the owner's current rules. An approved effect is not judged by labels again, because
 * the owner saw where its values came from.
 */
export async function judgeEffect(
  deps: JudgeDeps,
  { run, labels, repeats }: JudgeContext,
  { tool, effect, isApproved = false, edited }: Judged,
): Promise<PolicyDecision & { readonly grants: readonly string[] }> {
  const [stored, read] = await Promise.all([
    deps.permissions.rules(run),
    isApproved ? noLabels : labels(),
  ]);
  const rules = { ...stored, sideEffects: deps.sideEffects };
  const facts = tool.factsOf(effect.prepared);
  const repeated = isApproved ? undefined : repeats(tool);
  const grants = facts.recipients.flatMap(
    ({ address }) => grantFor(rules, tool.name, normalizeAddress(address)) ?? [],
  );
  return {
    ...deps.policy(effect, {
      facts,
      labels: read,
      rules,
      ...omitUndefined({ edited, repeats: repeated }),
    }),
    grants,
  };
}

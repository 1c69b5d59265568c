import {
  ruleVerdicts,
  type BronView,
  type RuleVerdict,
  type RuleView,
  type ToolView,
} from "@bron/protocol";
import { useQuery } from "@tanstack/react-query";
import { queries } from "../live/queries.ts";
import { groupTools } from "../permissions/group-tools.ts";
import { ownRuleFor, ruleFor } from "../permissions/rule-for.ts";
import { usePermissions } from "../permissions/use-permissions.ts";
import { texts } from "../texts.ts";
import { Choices } from "../ui/choices.tsx";
import { Panel } from "../ui/panel.tsx";
import { Refused } from "../ui/refused.tsx";
import { Loading, Problem } from "../ui/states.tsx";
import { useConfirm } from "../ui/use-confirm.tsx";
import { toolLabel, toolPhrase, toolPurpose } from "../words/tools.ts";
import { useToolChoice, type ChosenTools } from "./use-tool-choice.ts";

/**
 * Which tools this Bron has, and what it may do with each. Tools that only read need no rule.
 */
export function BronTools({ bron }: { readonly bron: BronView }) {
  const tools = useQuery(queries.tools());
  const { permissions, putRule, remove } = usePermissions();
  const choice = useToolChoice(bron, tools.data ?? []);
  const { ask, dialog } = useConfirm();
  if (!tools.data || !permissions.data) {
    return (
      <>
        {(tools.isPending || permissions.isPending) && <Loading />}
        <Problem
          error={tools.error ?? permissions.error}
          onRetry={() => void Promise.all([tools.refetch(), permissions.refetch()])}
        />
      </>
    );
  }
  const { rules } = permissions.data;
  const choose = (
    { name: tool }: ToolView,
    own: RuleView | undefined,
    verdict: RuleVerdict | "default",
  ) => {
    if (verdict === "default") return own && remove.mutate({ kind: "rules", id: own.id });
    const put = () => putRule.mutate({ bronId: bron.id, tool, verdict });
    if (verdict === "allow")
      ask({ ...texts.permissions.sureAllow(toolPhrase(tool), bron.name), onYes: put });
    else put();
  };
  return (
    <div className="grid grid-cols-1 gap-5">
      <p className="text-quiet">{texts.brons.toolsAbout}</p>
      <Refused error={putRule.error ?? remove.error ?? choice.error} />
      <ToolChoice choice={choice} />
      {groupTools(tools.data).map(({ group, tools: members }) => (
        <Panel key={group} title={texts.toolGroups[group] ?? group}>
          <ul className="divide-y divide-edge">
            {members.map((tool) => {
              const own = ownRuleFor(rules, tool.name, bron.id);
              return (
                <li
                  key={tool.name}
                  className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3 first:pt-0 last:pb-0"
                >
                  <div className="min-w-0 flex-1 basis-64">
                    <ToolName tool={tool.name} choice={choice} />
                    {toolPurpose(tool.name) !== undefined && (
                      <p className="mt-0.5 text-sm text-quiet">{toolPurpose(tool.name)}</p>
                    )}
                    {tool.sideEffect && own === undefined && choice.has(tool.name) && (
                      <DefaultVerdict rule={ruleFor(rules, tool.name, bron.id)} bron={bron} />
                    )}
                  </div>
                  {!choice.has(tool.name) ? (
                    <span className="text-sm text-quiet">{texts.brons.toolOff}</span>
                  ) : tool.sideEffect ? (
                    <Choices
                      label={toolLabel(tool.name)}
                      value={own?.verdict ?? "default"}
                      options={[
                        { value: "default" as const, name: texts.permissions.default },
                        ...ruleVerdicts.map((value) => ({
                          value,
                          name: texts.permissions.verdicts[value],
                        })),
                      ]}
                      onChange={(verdict) => choose(tool, own, verdict)}
                    />
                  ) : (
                    <span className="text-sm text-quiet">{texts.permissions.readOnly}</span>
                  )}
                </li>
              );
            })}
          </ul>
        </Panel>
      ))}
      {dialog}
    </div>
  );
}

/** All tools, also those that are added later, or only the chosen ones. */
function ToolChoice({ choice }: { readonly choice: ChosenTools }) {
  const { all, chosen } = texts.brons.toolChoices;
  return (
    <Panel title={texts.brons.toolChoice}>
      <Choices
        label={texts.brons.toolChoice}
        value={choice.isAll ? "all" : "chosen"}
        options={[
          { value: "all", name: all },
          { value: "chosen", name: chosen },
        ]}
        onChange={(value) => choice.setAll(value === "all")}
      />
      <p className="mt-2 text-sm text-quiet">
        {choice.isAll ? texts.brons.toolsAll : texts.brons.toolsChosen(choice.count)}{" "}
        {texts.brons.toolsLater}
      </p>
    </Panel>
  );
}

/** The name of a tool. It is the label of a checkbox if the owner chooses tools one by one. */
function ToolName({ tool, choice }: { readonly tool: string; readonly choice: ChosenTools }) {
  const name = (
    <>
      {toolLabel(tool)} <code className="ml-1 text-xs font-normal text-quiet">{tool}</code>
    </>
  );
  if (choice.isAll) return <p className="text-sm font-medium">{name}</p>;
  return (
    <label className="flex min-h-6 cursor-pointer items-center gap-2 text-sm font-medium">
      <input
        type="checkbox"
        className="size-4 shrink-0 accent-accent"
        checked={choice.has(tool)}
        onChange={({ target }) => choice.set(tool, target.checked)}
      />
      <span className="min-w-0">{name}</span>
    </label>
  );
}

/** Explains what applies to a tool for which this Bron has no rule of its own. */
function DefaultVerdict({
  rule,
  bron,
}: {
  readonly rule: RuleView | undefined;
  readonly bron: BronView;
}) {
  return (
    <p className="mt-0.5 text-sm text-quiet">
      {rule
        ? texts.permissions.byRule(rule.verdict, rule.bronId !== null)
        : texts.permissions.byTrust(texts.trust.levels[bron.trustLevel].name)}
    </p>
  );
}

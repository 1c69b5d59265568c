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
import { permissionsWords } from "../words/permissions.ts";
import { bronsWords } from "../words/brons.ts";
import { trustWords } from "../words/trust.ts";
import { Choices } from "../ui/choices.tsx";
import { Panel } from "../ui/panel.tsx";
import { Refused } from "../ui/refused.tsx";
import { Loading, Problem } from "../ui/states.tsx";
import { useConfirm } from "../ui/use-confirm.tsx";
import { toolLabel, toolPhrase, toolPurpose } from "../words/tools.ts";
import { isChoosable, toolPresets } from "./tool-presets.ts";
import { useToolChoice, type ChosenTools } from "./use-tool-choice.ts";

/**
 * Which tools this Bron has, and what it may do with each. Tools that only read need no rule, and
 * those that every Bron needs are not shown.
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
      ask({ ...permissionsWords.sureAllow(toolPhrase(tool), bron.name), onYes: put });
    else put();
  };
  return (
    <div className="grid grid-cols-1 gap-5">
      <p className="text-quiet">{bronsWords.toolsAbout}</p>
      <Refused error={putRule.error ?? remove.error ?? choice.error} />
      <PresetChoice choice={choice} />
      {groupTools(tools.data.filter(isChoosable)).map(({ group, tools: members }) => (
        <Panel key={group} title={texts.toolGroups[group] ?? group}>
          <ul className="divide-y divide-edge">
            {members.map((tool) => {
              const own = ownRuleFor(rules, tool.name, bron.id);
              const isOn = choice.has(tool.name);
              return (
                <li
                  key={tool.name}
                  className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3 first:pt-0 last:pb-0"
                >
                  <div className="min-w-0 flex-1 basis-64">
                    <ToolSwitch tool={tool.name} choice={choice} />
                    {isOn && tool.sideEffect && own === undefined && (
                      <DefaultVerdict rule={ruleFor(rules, tool.name, bron.id)} bron={bron} />
                    )}
                  </div>
                  {isOn && tool.sideEffect && (
                    <Choices
                      label={toolLabel(tool.name)}
                      value={own?.verdict ?? "default"}
                      options={[
                        { value: "default" as const, name: permissionsWords.default },
                        ...ruleVerdicts.map((value) => ({
                          value,
                          name: permissionsWords.verdicts[value],
                        })),
                      ]}
                      onChange={(verdict) => choose(tool, own, verdict)}
                    />
                  )}
                </li>
              );
            })}
          </ul>
        </Panel>
      ))}
      <TechnicalNames tools={tools.data} />
      {dialog}
    </div>
  );
}

/** Three choices that fit most Brons, and what the chosen one means. */
function PresetChoice({ choice }: { readonly choice: ChosenTools }) {
  const { toolPresets: names, toolPresetsAbout: about } = bronsWords;
  const { preset } = choice;
  const shown = preset === "custom" ? [...toolPresets, preset] : toolPresets;
  return (
    <Panel title={bronsWords.toolChoice}>
      <Choices
        label={bronsWords.toolChoice}
        value={preset}
        options={shown.map((value) => ({ value, name: names[value] }))}
        onChange={(value) => value !== "custom" && choice.setPreset(value)}
      />
      <p className="mt-2 text-sm text-quiet">
        {about[preset]} {bronsWords.toolsLater}
      </p>
    </Panel>
  );
}

/** Turns a tool on or off. Its purpose is a part of its label. */
function ToolSwitch({ tool, choice }: { readonly tool: string; readonly choice: ChosenTools }) {
  const purpose = toolPurpose(tool);
  return (
    <label className="flex min-h-6 cursor-pointer items-start gap-3 text-sm">
      <input
        type="checkbox"
        className="mt-0.5 size-4 shrink-0 accent-accent"
        checked={choice.has(tool)}
        onChange={({ target }) => choice.set(tool, target.checked)}
      />
      <span className="min-w-0">
        <span className="font-medium">{toolLabel(tool)}</span>
        {purpose !== undefined && <span className="mt-0.5 block text-quiet">{purpose}</span>}
      </span>
    </label>
  );
}

/** For those who write rules or programs. */
function TechnicalNames({ tools }: { readonly tools: readonly ToolView[] }) {
  return (
    <details className="text-sm text-quiet">
      <summary className="cursor-pointer">{bronsWords.toolsTechnical}</summary>
      <dl className="mt-2 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
        {tools.map(({ name }) => (
          <div key={name} className="contents">
            <dt>{toolLabel(name)}</dt>
            <dd className="m-0 min-w-0">
              <code className="text-xs wrap-anywhere">{name}</code>
            </dd>
          </div>
        ))}
      </dl>
    </details>
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
    <p className="mt-0.5 pl-7 text-sm text-quiet">
      {rule
        ? permissionsWords.byRule(rule.verdict, rule.bronId !== null)
        : permissionsWords.byTrust(trustWords.levels[bron.trustLevel].name)}
    </p>
  );
}

import {
  ruleVerdicts,
  visible,
  type BronView,
  type NewRule,
  type RuleVerdict,
  type RuleView,
  type ToolView,
} from "@bron/protocol";
import { useId, useState } from "react";
import { permissionsWords } from "../words/permissions.ts";
import { Button } from "../ui/button.tsx";
import { Field, inputClass } from "../ui/field.tsx";
import { TextField } from "./text-field.tsx";
import { Panel } from "../ui/panel.tsx";
import { Refused } from "../ui/refused.tsx";
import { useConfirm } from "../ui/use-confirm.tsx";
import { toolLabel } from "../words/tools.ts";
import { BronSelect } from "../brons/bron-select.tsx";
import { groupTools } from "./group-tools.ts";
import { scopeLabel, scopePhrase } from "./scope-words.ts";
import { isUnconfirmed, usePermissions } from "./use-permissions.ts";

interface RulesPanelProps {
  readonly rules: readonly RuleView[];
  readonly brons: readonly BronView[];
  readonly tools: readonly ToolView[];
}

/** The owner's rules for tools. A change that allows more than before needs a confirmation. */
export function RulesPanel({ rules, brons, tools }: RulesPanelProps) {
  const { putRule, remove } = usePermissions();
  const { ask, dialog } = useConfirm();
  const nameOf = (bronId: string | null) =>
    bronId === null
      ? permissionsWords.allBrons
      : visible(brons.find(({ id }) => id === bronId)?.name ?? bronId);
  const saveRule = (rule: NewRule) => {
    if (rule.verdict === "allow")
      ask({
        ...permissionsWords.sureAllow(
          scopePhrase({ tool: rule.tool, host: rule.host ?? null, server: rule.server ?? null }),
          nameOf(rule.bronId ?? null),
        ),
        onYes: () => putRule.mutate(rule),
      });
    else putRule.mutate(rule);
  };
  const removeRule = ({ id, verdict }: RuleView) => {
    const removeNow = () => remove.mutate({ kind: "rules", id });
    if (verdict === "allow") removeNow();
    else ask({ ...permissionsWords.sureRemove, onYes: removeNow });
  };
  return (
    <Panel title={permissionsWords.rules}>
      <p className="mb-4 text-sm text-quiet">{permissionsWords.rulesAbout}</p>
      <Refused error={putRule.error ?? remove.error} />
      {rules.length === 0 && <p className="mb-4 text-sm text-quiet">{permissionsWords.noRules}</p>}
      <ul aria-label={permissionsWords.rules} className="mb-5 divide-y divide-edge">
        {rules.map((rule) => (
          <li key={rule.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2.5">
            <Verdict verdict={rule.verdict} />
            <span title={rule.tool} className="min-w-0 text-sm wrap-anywhere">
              {scopeLabel(rule)}
            </span>
            <span className="text-sm text-quiet">{nameOf(rule.bronId)}</span>
            <Button
              kind="quiet"
              className="ml-auto"
              disabled={isUnconfirmed(rule.id)}
              aria-label={permissionsWords.removeRule(scopePhrase(rule))}
              onClick={() => removeRule(rule)}
            >
              {permissionsWords.remove}
            </Button>
          </li>
        ))}
      </ul>
      <NewRuleForm brons={brons} tools={tools} onPut={saveRule} />
      {dialog}
    </Panel>
  );
}

const verdictClasses: Readonly<Record<RuleVerdict, string>> = {
  allow: "border-good bg-good-soft text-good",
  ask: "border-edge bg-raised text-ink",
  deny: "border-bad bg-bad-soft text-bad",
};

function Verdict({ verdict }: { readonly verdict: RuleVerdict }) {
  return (
    <span
      className={`inline-flex w-16 justify-center rounded-full border px-2.5 py-0.5 text-xs font-medium ${verdictClasses[verdict]}`}
    >
      {permissionsWords.verdicts[verdict]}
    </span>
  );
}

function NewRuleForm({
  brons,
  tools,
  onPut,
}: {
  readonly brons: readonly BronView[];
  readonly tools: readonly ToolView[];
  onPut(rule: NewRule): void;
}) {
  const [tool, setTool] = useState("");
  const [verdict, setVerdict] = useState<RuleVerdict>("ask");
  const [bronId, setBronId] = useState("");
  const [host, setHost] = useState("");
  const [server, setServer] = useState("");
  const isServer = server.trim() !== "";
  return (
    <form
      className="grid gap-3 sm:grid-cols-[1fr_8rem_10rem] sm:items-end"
      onSubmit={(event) => {
        event.preventDefault();
        onPut({
          tool: tool.trim() === "" ? "*" : tool.trim(),
          verdict,
          bronId: bronId === "" ? null : bronId,
          host: host.trim() === "" ? null : host.trim(),
          server: isServer ? server.trim() : null,
        });
        setTool("");
        setHost("");
        setServer("");
      }}
    >
      <ToolField tools={tools} value={tool} isRequired={!isServer} onChange={setTool} />
      <Field label={permissionsWords.verdict}>
        {(ids) => (
          <select
            {...ids}
            value={verdict}
            onChange={({ target }) => setVerdict(target.value as RuleVerdict)}
            className={inputClass}
          >
            {ruleVerdicts.map((option) => (
              <option key={option} value={option}>
                {permissionsWords.verdicts[option]}
              </option>
            ))}
          </select>
        )}
      </Field>
      <BronSelect brons={brons} value={bronId} onChange={setBronId} />
      <div className="grid gap-3 sm:col-span-3 sm:grid-cols-[1fr_1fr_auto] sm:items-start">
        <TextField
          label={permissionsWords.host}
          hint={permissionsWords.hostHint}
          placeholder={permissionsWords.hostPlaceholder}
          value={host}
          onChange={setHost}
        />
        <TextField
          label={permissionsWords.server}
          hint={permissionsWords.serverHint}
          placeholder={permissionsWords.serverPlaceholder}
          value={server}
          onChange={setServer}
        />
        <Button type="submit" className="sm:mt-6" disabled={tool.trim() === "" && !isServer}>
          {permissionsWords.addRule}
        </Button>
      </div>
    </form>
  );
}

function ToolField({
  tools,
  value,
  isRequired,
  onChange,
}: {
  readonly tools: readonly ToolView[];
  readonly value: string;
  readonly isRequired: boolean;
  onChange(value: string): void;
}) {
  const toolListId = useId();
  const effects = tools.filter(({ sideEffect }) => sideEffect);
  return (
    <Field label={permissionsWords.tool}>
      {(ids) => (
        <>
          <input
            {...ids}
            required={isRequired}
            list={toolListId}
            autoComplete="off"
            spellCheck={false}
            pattern="\s*([a-zA-Z0-9_][a-zA-Z0-9_.:\/@\-]*\*?|\*)\s*"
            title={permissionsWords.toolHint}
            placeholder="gmail_*"
            value={value}
            onChange={({ target }) => onChange(target.value)}
            className={inputClass}
          />
          <datalist id={toolListId}>
            {groupTools(effects).flatMap(({ tools: members }) =>
              members.map(({ name }) => <option key={name} value={name} label={toolLabel(name)} />),
            )}
          </datalist>
        </>
      )}
    </Field>
  );
}

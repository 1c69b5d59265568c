import type { BronView, NewGrant, ToolView } from "@bron/protocol";
import { useState } from "react";
import { permissionsWords } from "../words/permissions.ts";
import { Button } from "../ui/button.tsx";
import { Field, inputClass } from "../ui/field.tsx";
import { toolLabel } from "../words/tools.ts";
import { BronSelect } from "../brons/bron-select.tsx";
import { TextField } from "./text-field.tsx";

const lengths = [1, 7, 30, 90] as const;
const kinds = ["recipient", "host", "server"] as const;
type Kind = (typeof kinds)[number];

interface NewGrantFormProps {
  readonly brons: readonly BronView[];
  readonly tools: readonly ToolView[];
  onGrant(grant: NewGrant, options: { onError(): void }): void;
}

export function NewGrantForm({ brons, tools, onGrant }: NewGrantFormProps) {
  const effects = tools.filter(({ sideEffect }) => sideEffect);
  const [kind, setKind] = useState<Kind>("recipient");
  const [tool, setTool] = useState("gmail_send");
  const [serverTool, setServerTool] = useState("");
  const [value, setValue] = useState("");
  const [days, setDays] = useState("7");
  const [bronId, setBronId] = useState("");
  const [includesPrivate, setIncludesPrivate] = useState(false);
  const chosen = effects.some(({ name }) => name === tool) ? tool : (effects[0]?.name ?? "");
  return (
    <form
      className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3 lg:items-end"
      onSubmit={(event) => {
        event.preventDefault();
        const typed = value.trim();
        setValue("");
        onGrant(
          {
            tool: kind === "server" ? serverTool.trim() || "*" : chosen,
            [kind]: typed,
            days: Number(days),
            bronId: bronId === "" ? null : bronId,
            includesPrivate: kind !== "server" && includesPrivate,
          },
          { onError: () => setValue(typed) },
        );
      }}
    >
      <Select
        label={permissionsWords.target}
        value={kind}
        options={kinds.map((name) => [name, permissionsWords.targets[name]])}
        onChange={(name) => {
          setKind(name);
          if (name === "host") setTool("web_fetch");
          if (name === "recipient") setTool("gmail_send");
        }}
      />
      <TargetField kind={kind} value={value} onChange={setValue} />
      {kind === "server" ? (
        <TextField
          label={permissionsWords.serverTool}
          placeholder="*"
          value={serverTool}
          onChange={setServerTool}
        />
      ) : (
        <Select
          label={permissionsWords.tool}
          value={chosen}
          options={effects.map(({ name }) => [name, toolLabel(name)])}
          onChange={setTool}
        />
      )}
      <Select
        label={permissionsWords.duration}
        value={days}
        options={lengths.map((length) => [String(length), permissionsWords.days(length)])}
        onChange={setDays}
      />
      <BronSelect brons={brons} value={bronId} onChange={setBronId} />
      {kind !== "server" && (
        <label className="flex items-center gap-2 text-sm">
          <input
            type="checkbox"
            checked={includesPrivate}
            onChange={({ target }) => setIncludesPrivate(target.checked)}
          />
          {permissionsWords.includesPrivate}
        </label>
      )}
      <Button type="submit" disabled={value.trim() === ""}>
        {permissionsWords.addGrant}
      </Button>
    </form>
  );
}

function TargetField({
  kind,
  value,
  onChange,
}: {
  readonly kind: Kind;
  readonly value: string;
  onChange(value: string): void;
}) {
  const words = {
    recipient: [permissionsWords.recipient, permissionsWords.recipientPlaceholder],
    host: [permissionsWords.grantHost, permissionsWords.hostPlaceholder],
    server: [permissionsWords.grantServer, permissionsWords.serverPlaceholder],
  } as const;
  const [label, placeholder] = words[kind];
  return (
    <TextField
      key={kind}
      isRequired
      type={kind === "recipient" ? "email" : "text"}
      label={label}
      placeholder={placeholder}
      value={value}
      onChange={onChange}
    />
  );
}

function Select<Value extends string>({
  label,
  value,
  options,
  onChange,
}: {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly (readonly [Value, string])[];
  onChange(value: Value): void;
}) {
  return (
    <Field label={label}>
      {(ids) => (
        <select
          {...ids}
          value={value}
          onChange={({ target }) => onChange(target.value as Value)}
          className={inputClass}
        >
          {options.map(([option, words]) => (
            <option key={option} value={option}>
              {words}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

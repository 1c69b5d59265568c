import { omitUndefined, type BronTemplate, type NewBron } from "@bron/protocol";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "../api.ts";
import { queries } from "../live/queries.ts";
import { texts } from "../texts.ts";
import { bronsWords } from "../words/brons.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Field, inputClass } from "../ui/field.tsx";
import { Problem } from "../ui/states.tsx";
import { ColorChoice } from "./color-choice.tsx";

export function NewBronDialog({ isOpen, onClose }: { readonly isOpen: boolean; onClose(): void }) {
  return (
    <Dialog title={bronsWords.create} isOpen={isOpen} onClose={onClose}>
      <NewBronForm onClose={onClose} />
    </Dialog>
  );
}

function NewBronForm({ onClose }: { onClose(): void }) {
  const [name, setName] = useState("");
  const [color, setColor] = useState("");
  const [persona, setPersona] = useState("");
  const [template, setTemplate] = useState<BronTemplate>();
  const choose = (chosen: BronTemplate | undefined) => {
    setTemplate(chosen);
    // What the owner typed stays.
    if (name === (template?.name ?? "")) setName(chosen?.name ?? "");
    if (persona === (template?.systemPrompt ?? "")) setPersona(chosen?.systemPrompt ?? "");
  };
  const client = useQueryClient();
  const navigate = useNavigate();
  const make = useMutation({
    mutationFn: (body: NewBron) => api.call("POST /api/brons", { body }),
    onSuccess(bron) {
      client.setQueryData(queries.bron(bron.id).queryKey, bron);
      void client.invalidateQueries({ queryKey: ["brons"] });
      onClose();
      void navigate({ to: "/brons/$bronId", params: { bronId: bron.id } });
    },
  });
  return (
    <form
      className="grid grid-cols-1 gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        make.mutate({
          name,
          ...omitUndefined({
            avatarColor: color === "" ? undefined : color,
            template: template?.id,
            systemPrompt: persona === (template?.systemPrompt ?? "") ? undefined : persona,
          }),
        });
      }}
    >
      <TemplateChoice value={template} onChange={choose} />
      <Field label={bronsWords.name}>
        {(ids) => (
          <input
            {...ids}
            autoFocus
            required
            maxLength={80}
            autoComplete="off"
            value={name}
            placeholder={bronsWords.namePlaceholder}
            onChange={({ target }) => setName(target.value)}
            className={inputClass}
          />
        )}
      </Field>
      <ColorChoice canBeAny value={color} onChange={setColor} />
      <Field label={bronsWords.instructions} hint={bronsWords.instructionsHint}>
        {(ids) => (
          <textarea
            {...ids}
            rows={4}
            maxLength={20_000}
            value={persona}
            placeholder={bronsWords.instructionsPlaceholder}
            onChange={({ target }) => setPersona(target.value)}
            className={inputClass}
          />
        )}
      </Field>
      <p className="text-sm text-quiet">{bronsWords.startsSupervised}</p>
      <Problem error={make.error} />
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>{texts.cancel}</Button>
        <Button type="submit" kind="main" disabled={name.trim() === "" || make.isPending}>
          {make.isPending ? bronsWords.creating : bronsWords.create}
        </Button>
      </div>
    </form>
  );
}

function TemplateChoice({
  value,
  onChange,
}: {
  readonly value: BronTemplate | undefined;
  onChange(template: BronTemplate | undefined): void;
}) {
  const { data: templates = [] } = useQuery(queries.bronTemplates());
  if (templates.length === 0) return null;
  return (
    <Field label={bronsWords.template} hint={value?.about ?? bronsWords.blankAbout}>
      {(ids) => (
        <select
          {...ids}
          value={value?.id ?? ""}
          onChange={({ target }) => onChange(templates.find(({ id }) => id === target.value))}
          className={inputClass}
        >
          <option value="">{bronsWords.blank}</option>
          {templates.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

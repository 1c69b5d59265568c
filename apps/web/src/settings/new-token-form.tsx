import { scopes, type NewToken, type Scope, type TokenView } from "@bron/protocol";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../api.ts";
import { settingsWords } from "../words/settings.ts";
import { Button } from "../ui/button.tsx";
import { Field, inputClass } from "../ui/field.tsx";
import { Problem } from "../ui/states.tsx";

export interface MadeToken {
  readonly token: string;
  readonly view: TokenView;
}

type Life = keyof typeof settingsWords.lives;
const lives = Object.keys(settingsWords.lives) as Life[];
const words = settingsWords;

export function NewTokenForm({ onMade }: { onMade(made: MadeToken): void }) {
  const [name, setName] = useState("");
  const [chosen, setChosen] = useState<readonly Scope[]>(["read"]);
  const [life, setLife] = useState<Life>("30");
  const client = useQueryClient();
  const make = useMutation({
    mutationFn: (body: NewToken) => api.call("POST /api/tokens", { body }),
    onSuccess(made) {
      void client.invalidateQueries({ queryKey: ["tokens"] });
      onMade(made);
    },
  });
  return (
    <form
      className="mt-4 grid grid-cols-1 gap-4 border-t border-edge pt-4"
      onSubmit={(event) => {
        event.preventDefault();
        make.mutate({
          name,
          scopes: [...chosen],
          ...(life === "forever" ? {} : { days: Number(life) }),
        });
      }}
    >
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        <Field label={words.tokenName}>
          {(ids) => (
            <input
              {...ids}
              required
              maxLength={80}
              autoComplete="off"
              placeholder={words.tokenNamePlaceholder}
              value={name}
              onChange={({ target }) => setName(target.value)}
              className={inputClass}
            />
          )}
        </Field>
        <Field label={words.tokenLife}>
          {(ids) => (
            <select
              {...ids}
              value={life}
              onChange={({ target }) => setLife(target.value as Life)}
              className={inputClass}
            >
              {lives.map((option) => (
                <option key={option} value={option}>
                  {words.lives[option]}
                </option>
              ))}
            </select>
          )}
        </Field>
      </div>
      <ScopeChoice chosen={chosen} onChange={setChosen} />
      <Problem error={make.error} />
      <div className="flex justify-end">
        <Button
          type="submit"
          disabled={name.trim() === "" || chosen.length === 0 || make.isPending}
        >
          {words.createToken}
        </Button>
      </div>
    </form>
  );
}

interface ScopeChoiceProps {
  readonly chosen: readonly Scope[];
  onChange(chosen: readonly Scope[]): void;
}

function ScopeChoice({ chosen, onChange }: ScopeChoiceProps) {
  return (
    <fieldset className="grid min-w-0 grid-cols-1 gap-2 sm:grid-cols-2">
      <legend className="mb-1 text-sm font-medium">{words.tokenScopes}</legend>
      {scopes.map((scope) => (
        <label
          key={scope}
          className="flex cursor-pointer gap-3 rounded-lg border border-edge p-3 hover:bg-raised has-checked:border-accent has-checked:bg-accent-soft"
        >
          <input
            type="checkbox"
            checked={chosen.includes(scope)}
            onChange={({ target }) =>
              onChange(
                scopes.filter((option) =>
                  option === scope ? target.checked : chosen.includes(option),
                ),
              )
            }
            className="mt-1 size-4 shrink-0 accent-accent"
          />
          <span className="min-w-0">
            <span className="block text-sm font-medium">{words.scopes[scope].name}</span>
            <span className="block text-sm text-quiet">{words.scopes[scope].means}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

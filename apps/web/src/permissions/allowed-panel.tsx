import { visible, type AllowedView } from "@bron/protocol";
import { useState } from "react";
import { texts } from "../texts.ts";
import { Button } from "../ui/button.tsx";
import { Field, inputClass } from "../ui/field.tsx";
import { Panel } from "../ui/panel.tsx";
import { Refused } from "../ui/refused.tsx";
import { isUnnamed, usePermissions } from "./use-permissions.ts";

/** People and domains whom a delegated Bron may write to, and who count as known. */
export function AllowedPanel({ allowed }: { readonly allowed: readonly AllowedView[] }) {
  const { allow, remove } = usePermissions();
  const [value, setValue] = useState("");
  return (
    <Panel title={texts.permissions.allowed}>
      <p className="mb-4 text-sm text-quiet">{texts.permissions.allowedAbout}</p>
      <Refused error={allow.error ?? remove.error} />
      {allowed.length === 0 && (
        <p className="mb-4 text-sm text-quiet">{texts.permissions.noAllowed}</p>
      )}
      <ul aria-label={texts.permissions.allowed} className="mb-5 flex flex-wrap gap-2">
        {allowed.map((one) => (
          <li
            key={one.id}
            className="flex max-w-full items-center gap-1 rounded-full border border-edge bg-raised py-0.5 pr-1 pl-3 text-sm"
          >
            <span className="truncate">
              {one.kind === "domain"
                ? texts.permissions.everybodyAt(visible(one.value))
                : visible(one.value)}
            </span>
            <button
              type="button"
              disabled={isUnnamed(one.id)}
              aria-label={texts.permissions.takeOff(one.value)}
              onClick={() => remove.mutate({ kind: "allowed", id: one.id })}
              className="flex size-7 items-center justify-center rounded-full border-0 bg-transparent p-0 text-quiet hover:bg-surface hover:text-ink"
            >
              ×
            </button>
          </li>
        ))}
      </ul>
      <form
        className="flex flex-wrap items-end gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          const given = value.trim();
          setValue("");
          // What was typed is not lost with the refusal.
          allow.mutate(given, { onError: () => setValue(given) });
        }}
      >
        <Field label={texts.permissions.personOrDomain} className="min-w-0 flex-1 basis-52">
          {(ids) => (
            <input
              {...ids}
              required
              minLength={3}
              maxLength={254}
              autoComplete="off"
              inputMode="email"
              spellCheck={false}
              placeholder={texts.permissions.allowedPlaceholder}
              value={value}
              onChange={({ target }) => setValue(target.value)}
              className={inputClass}
            />
          )}
        </Field>
        <Button type="submit" disabled={value.trim().length < 3}>
          {texts.permissions.addAllowed}
        </Button>
      </form>
    </Panel>
  );
}

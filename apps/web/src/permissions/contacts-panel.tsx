import { visible, type AllowedView } from "@bron/protocol";
import { useState } from "react";
import { permissionsWords } from "../words/permissions.ts";
import { Button } from "../ui/button.tsx";
import { Field, inputClass } from "../ui/field.tsx";
import { Panel } from "../ui/panel.tsx";
import { Refused } from "../ui/refused.tsx";
import { isUnconfirmed, usePermissions } from "./use-permissions.ts";

function describeContact({ name, value }: AllowedView): string {
  return name === null ? value : `${name} (${value})`;
}

/** People and domains that a delegated Bron may email without asking. */
export function ContactsPanel({ allowed }: { readonly allowed: readonly AllowedView[] }) {
  const { allow, remove } = usePermissions();
  const [value, setValue] = useState("");
  return (
    <Panel title={permissionsWords.contacts}>
      <p className="mb-4 text-sm text-quiet">{permissionsWords.contactsAbout}</p>
      <Refused error={allow.error ?? remove.error} />
      {allowed.length === 0 && (
        <p className="mb-4 text-sm text-quiet">{permissionsWords.noContacts}</p>
      )}
      <ul aria-label={permissionsWords.contacts} className="mb-5 flex flex-wrap gap-2">
        {allowed.map((contact) => (
          <li
            key={contact.id}
            className="flex max-w-full items-center gap-1 rounded-full border border-edge bg-raised py-0.5 pr-1 pl-3 text-sm"
          >
            <span className="truncate">
              {contact.kind === "domain"
                ? permissionsWords.anyoneAt(visible(contact.value))
                : visible(describeContact(contact))}
            </span>
            <button
              type="button"
              disabled={isUnconfirmed(contact.id)}
              aria-label={permissionsWords.removeContact(contact.value)}
              onClick={() => remove.mutate({ kind: "allowed", id: contact.id })}
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
          const typed = value.trim();
          setValue("");
          // Keep the typed text if the server rejects it.
          allow.mutate(typed, { onError: () => setValue(typed) });
        }}
      >
        <Field label={permissionsWords.emailOrDomain} className="min-w-0 flex-1 basis-52">
          {(ids) => (
            <input
              {...ids}
              required
              minLength={3}
              maxLength={254}
              autoComplete="off"
              spellCheck={false}
              placeholder={permissionsWords.contactPlaceholder}
              value={value}
              onChange={({ target }) => setValue(target.value)}
              className={inputClass}
            />
          )}
        </Field>
        <Button type="submit" disabled={value.trim().length < 3}>
          {permissionsWords.addContact}
        </Button>
      </form>
    </Panel>
  );
}

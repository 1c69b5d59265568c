import type { OauthClientView } from "@bron/protocol";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../api.ts";
import { queries } from "../live/queries.ts";
import { texts } from "../texts.ts";
import { connectionsWords } from "../words/connections.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Field, inputClass } from "../ui/field.tsx";
import { Problem } from "../ui/states.tsx";
import { useConfirm } from "../ui/use-confirm.tsx";

interface OauthClientProps {
  /** The provider's name in sentences. */
  readonly name: string;
  readonly client: OauthClientView;
  onClose(): void;
}

const words = connectionsWords.setup;

/** Takes the OAuth client of a provider. A stored secret is never shown. */
export function OauthClientDialog({
  isOpen,
  ...props
}: OauthClientProps & { readonly isOpen: boolean }) {
  return (
    <Dialog title={words.title(props.name)} isOpen={isOpen} onClose={props.onClose}>
      <OauthClientForm {...props} />
    </Dialog>
  );
}

function OauthClientForm({ name, client, onClose }: OauthClientProps) {
  const { provider } = client;
  const [clientId, setClientId] = useState(client.clientId ?? "");
  const [clientSecret, setClientSecret] = useState("");
  const { ask, dialog } = useConfirm();
  const queryClient = useQueryClient();
  const onSuccess = ({ oauthClients }: { oauthClients: OauthClientView[] }) => {
    queryClient.setQueryData(queries.oauthClients().queryKey, oauthClients);
    // The accounts, the tools and the demo notes depend on it.
    for (const queryKey of [["connections"], ["tools"], ["about"]])
      void queryClient.invalidateQueries({ queryKey });
    onClose();
  };
  const put = useMutation({
    mutationFn: () =>
      api.call("PUT /api/oauth-clients/:provider", {
        params: { provider },
        body: { clientId, clientSecret },
      }),
    onSuccess,
  });
  const remove = useMutation({
    mutationFn: () => api.call("DELETE /api/oauth-clients/:provider", { params: { provider } }),
    onSuccess,
  });
  return (
    <form
      className="grid grid-cols-1 gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        put.mutate();
      }}
    >
      <p className="text-sm">
        {words.about[provider]}{" "}
        <a href={words.guides[provider]} target="_blank" rel="noreferrer">
          {words.guide}
        </a>
      </p>
      <RedirectUri client={client} />
      <Credential label={words.clientId} value={clientId} onChange={setClientId} />
      <Credential
        isSecret
        label={words.clientSecret}
        hint={words.secretHint}
        value={clientSecret}
        onChange={setClientSecret}
      />
      <Problem error={put.error ?? remove.error} />
      <div className="flex flex-wrap justify-end gap-2">
        {client.clientId !== null && (
          <Button
            kind="danger"
            className="mr-auto"
            onClick={() => ask({ ...words.sureRemove(name), onYes: () => remove.mutate() })}
          >
            {words.remove}
          </Button>
        )}
        <Button onClick={onClose}>{texts.cancel}</Button>
        <Button type="submit" kind="main" disabled={put.isPending}>
          {put.isPending ? texts.saving : words.save}
        </Button>
      </div>
      {dialog}
    </form>
  );
}

/** The address that the app must allow. */
function RedirectUri({ client: { provider, redirectUri } }: Pick<OauthClientProps, "client">) {
  return (
    <>
      {redirectUri !== null && (
        <Field label={words.redirect} hint={words.redirectHints[provider] ?? ""}>
          {(ids) => (
            <input
              {...ids}
              readOnly
              value={redirectUri}
              onFocus={({ target }) => target.select()}
              className={inputClass}
            />
          )}
        </Field>
      )}
      {provider === "slack" && redirectUri?.startsWith("http:") === true && (
        <p className="border-l-2 border-ask-edge pl-3 text-sm">{words.needsHttps}</p>
      )}
    </>
  );
}

function Credential({
  label,
  hint,
  isSecret = false,
  value,
  onChange,
}: {
  readonly label: string;
  readonly hint?: string;
  readonly isSecret?: boolean;
  readonly value: string;
  onChange(value: string): void;
}) {
  return (
    <Field label={label} hint={hint}>
      {(ids) => (
        <input
          {...ids}
          type={isSecret ? "password" : "text"}
          required
          minLength={4}
          autoComplete="off"
          spellCheck={false}
          autoFocus={!isSecret}
          value={value}
          onChange={({ target }) => onChange(target.value)}
          className={inputClass}
        />
      )}
    </Field>
  );
}

import type { OauthClientView } from "@bron/protocol";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../api.ts";
import { queries } from "../live/queries.ts";
import { texts } from "../texts.ts";
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

const words = texts.connections.setup;

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
  const { provider, redirectUri } = client;
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
  const input = { required: true, minLength: 4, autoComplete: "off", spellCheck: false } as const;
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
      <Field label={words.clientId}>
        {(ids) => (
          <input
            {...ids}
            {...input}
            autoFocus
            value={clientId}
            onChange={({ target }) => setClientId(target.value)}
            className={inputClass}
          />
        )}
      </Field>
      <Field label={words.clientSecret} hint={words.secretHint}>
        {(ids) => (
          <input
            {...ids}
            {...input}
            type="password"
            value={clientSecret}
            onChange={({ target }) => setClientSecret(target.value)}
            className={inputClass}
          />
        )}
      </Field>
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

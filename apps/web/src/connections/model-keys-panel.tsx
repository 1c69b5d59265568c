import {
  modelProviders,
  type AboutView,
  type ApiResponse,
  type ModelKeyView,
  type ModelProvider,
} from "@bron/protocol";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../api.ts";
import { queries } from "../live/queries.ts";
import { useOptimistic } from "../live/use-optimistic.ts";
import { texts } from "../texts.ts";
import { Ago } from "../time.tsx";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Field, inputClass } from "../ui/field.tsx";
import { Panel } from "../ui/panel.tsx";
import { Refused } from "../ui/refused.tsx";
import { Loading, Problem } from "../ui/states.tsx";
import { useConfirm } from "../ui/use-confirm.tsx";
import { useFocusAfter } from "../ui/use-focus-after.ts";

const words = texts.connections;

/**
 * The model keys of the owner. A stored key is never shown. The panel first says which key is used.
 */
export function ModelKeysPanel({ about }: { readonly about: AboutView }) {
  const keys = useQuery(queries.modelKeys());
  const [adding, setAdding] = useState<ModelProvider>();
  const [untried, setUntried] = useState<readonly ModelProvider[]>([]);
  const setTried = (provider: ModelProvider, isTried: boolean) =>
    setUntried((before) => [
      ...before.filter((other) => other !== provider),
      ...(isTried ? [] : [provider]),
    ]);
  const { ask, dialog } = useConfirm();
  const remove = useOptimistic({
    queryKey: queries.modelKeys().queryKey,
    request: (provider: ModelProvider) =>
      api.call("DELETE /api/model-keys/:provider", { params: { provider } }),
    predict: (before, provider) => before.filter((key) => key.provider !== provider),
    read: ({ modelKeys }) => modelKeys,
  });
  const used = keys.data?.[0];
  const unknown = untried.filter((provider) => keys.data?.some((key) => key.provider === provider));
  return (
    <Panel title={words.keys}>
      <p className="text-sm text-quiet">{words.keysAbout}</p>
      {keys.data && (
        <p className="mt-2 text-sm">
          {used
            ? words.usesOwn(words.providers[used.provider], used.model ?? words.defaultModel)
            : about.demoModel
              ? words.usesDemo
              : words.usesServer(about.model)}
        </p>
      )}
      {keys.isPending && <Loading />}
      <Problem error={keys.error} onRetry={() => void keys.refetch()} />
      <Refused error={remove.error} />
      <p
        role="status"
        className={
          unknown.length === 0
            ? "sr-only"
            : "mt-2 rounded-lg border border-edge bg-raised px-3 py-2 text-sm"
        }
      >
        {unknown.map((provider) => words.untested(words.providers[provider])).join(" ")}
      </p>
      <ul className="mt-3 divide-y divide-edge">
        {modelProviders.map((provider) => {
          const name = words.providers[provider];
          const stored = keys.data?.find((key) => key.provider === provider);
          return (
            <li
              key={provider}
              className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3"
            >
              <div className="min-w-0">
                <p className="font-medium">{name}</p>
                <p className="text-sm text-quiet">
                  {stored ? <KeyWords view={stored} isUsed={stored === used} /> : words.noKey}
                </p>
              </div>
              <div className="flex gap-2">
                <Button
                  data-key-of={provider}
                  aria-label={stored ? words.replaceKey(name) : words.addKey(name)}
                  onClick={() => setAdding(provider)}
                >
                  {stored ? words.replace : words.add}
                </Button>
                {stored && (
                  <RemoveButton
                    provider={provider}
                    onRemove={() =>
                      ask({
                        ...words.sureRemove(name),
                        onYes: () =>
                          remove.mutate(provider, { onSuccess: () => setTried(provider, true) }),
                      })
                    }
                  />
                )}
              </div>
            </li>
          );
        })}
      </ul>
      <Dialog
        title={adding ? words.addKey(words.providers[adding]) : ""}
        isOpen={adding !== undefined}
        onClose={() => setAdding(undefined)}
      >
        {adding && (
          <KeyForm
            provider={adding}
            onClose={() => setAdding(undefined)}
            onKept={(tried) => setTried(adding, tried === "works")}
          />
        )}
      </Dialog>
      {dialog}
    </Panel>
  );
}

function RemoveButton({
  provider,
  onRemove,
}: {
  readonly provider: ModelProvider;
  readonly onRemove: () => void;
}) {
  const button = useFocusAfter<HTMLButtonElement>((container) =>
    container?.querySelector<HTMLElement>(`[data-key-of=${provider}]`),
  );
  return (
    <Button
      ref={button}
      kind="quiet"
      aria-label={words.removeKey(words.providers[provider])}
      onClick={onRemove}
    >
      {words.remove}
    </Button>
  );
}

function KeyWords({
  view: { hint, model, updatedAt },
  isUsed,
}: {
  readonly view: ModelKeyView;
  readonly isUsed: boolean;
}) {
  return (
    <>
      {[
        words.endsWith(hint),
        ...(model === null ? [] : [model]),
        ...(isUsed ? [words.isUsed] : []),
      ].join(" · ")}{" "}
      · <Ago at={updatedAt} />
    </>
  );
}

interface KeyFormProps {
  readonly provider: ModelProvider;
  onKept(tried: ApiResponse<"PUT /api/model-keys/:provider">["tried"]): void;
  onClose(): void;
}

function KeyForm({ provider, onKept, onClose }: KeyFormProps) {
  const [key, setKey] = useState("");
  const [model, setModel] = useState("");
  const isModelNeeded = provider === "openai";
  const client = useQueryClient();
  const put = useMutation({
    mutationFn: () =>
      api.call("PUT /api/model-keys/:provider", {
        params: { provider },
        body: { key, ...(model.trim() === "" ? {} : { model }) },
      }),
    onSuccess({ modelKeys, tried }) {
      client.setQueryData(queries.modelKeys().queryKey, modelKeys);
      onKept(tried);
      onClose();
    },
  });
  return (
    <form
      className="grid grid-cols-1 gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        put.mutate();
      }}
    >
      <Field label={words.key} hint={words.keyHint}>
        {(ids) => (
          <input
            {...ids}
            type="password"
            autoFocus
            required
            minLength={8}
            autoComplete="off"
            spellCheck={false}
            value={key}
            onChange={({ target }) => setKey(target.value)}
            className={inputClass}
          />
        )}
      </Field>
      <Field label={words.model} hint={isModelNeeded ? words.modelNeeded : words.modelHint}>
        {(ids) => (
          <input
            {...ids}
            required={isModelNeeded}
            autoComplete="off"
            spellCheck={false}
            value={model}
            onChange={({ target }) => setModel(target.value)}
            className={inputClass}
          />
        )}
      </Field>
      <Problem error={put.error} />
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>{texts.cancel}</Button>
        <Button
          type="submit"
          kind="main"
          disabled={
            key.trim().length < 8 || (isModelNeeded && model.trim() === "") || put.isPending
          }
        >
          {put.isPending ? words.testing : words.save}
        </Button>
      </div>
    </form>
  );
}

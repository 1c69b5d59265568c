import {
  modelProviders,
  type ModelKeyProvider,
  type AboutView,
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
import { Panel } from "../ui/panel.tsx";
import { Refused } from "../ui/refused.tsx";
import { Loading, Problem } from "../ui/states.tsx";
import { useConfirm } from "../ui/use-confirm.tsx";
import { useFocusAfter } from "../ui/use-focus-after.ts";
import { ModelKeyForm } from "./model-key-form.tsx";

const words = texts.connections;

/**
 * The model keys of the owner. A stored key is never shown. The panel first says which key is used.
 */
export function ModelKeysPanel({ about }: { readonly about: AboutView }) {
  const keys = useQuery(queries.modelKeys());
  const [adding, setAdding] = useState<ModelProvider>();
  const { ask, dialog } = useConfirm();
  const remove = useOptimistic({
    queryKey: queries.modelKeys().queryKey,
    request: (provider: ModelKeyProvider) =>
      api.call("DELETE /api/model-keys/:provider", { params: { provider } }),
    predict: (before, provider) => before.filter((key) => key.provider !== provider),
    read: ({ modelKeys }) => modelKeys,
  });
  const client = useQueryClient();
  const onKeys = ({ modelKeys }: { modelKeys: ModelKeyView[] }) => {
    client.setQueryData(queries.modelKeys().queryKey, modelKeys);
    void client.invalidateQueries({ queryKey: ["models"] });
  };
  const accept = useMutation({
    mutationFn: (provider: ModelKeyProvider) =>
      api.call("POST /api/model-keys/:provider/accept", { params: { provider }, body: {} }),
    onSuccess: onKeys,
  });
  const test = useMutation({
    mutationFn: (provider: ModelKeyProvider) =>
      api.call("POST /api/model-keys/:provider/test", { params: { provider }, body: {} }),
    onSuccess: onKeys,
    // A key that the provider rejects is removed.
    onError: () => void keys.refetch(),
  });
  const used = keys.data?.find(({ state }) => state !== "untested");
  const hasLocal = keys.data?.some(({ provider }) => provider === "local") === true;
  const shown: readonly ModelKeyProvider[] = [
    ...(hasLocal ? (["local"] as const) : []),
    ...modelProviders,
  ];
  return (
    <Panel title={words.keys}>
      <p className="text-sm text-quiet">{words.keysAbout}</p>
      {keys.data && (
        <p className="mt-2 text-sm">
          {used
            ? usesWords(used)
            : about.demoModel
              ? words.usesDemo
              : words.usesServer(about.model)}
        </p>
      )}
      {keys.isPending && <Loading />}
      <Problem error={keys.error} onRetry={() => void keys.refetch()} />
      <Refused error={remove.error ?? accept.error ?? test.error} />
      <ul className="mt-3 divide-y divide-edge">
        {shown.map((provider) => {
          const name = nameOf(provider);
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
                {stored?.state === "untested" && (
                  <Untested
                    name={name}
                    isTesting={test.isPending}
                    onTest={() => test.mutate(provider)}
                    onUse={() =>
                      ask({ ...words.sureUse(name), onYes: () => accept.mutate(provider) })
                    }
                  />
                )}
              </div>
              <div className="flex gap-2">
                {provider !== "local" && (
                  <Button
                    data-key-of={provider}
                    aria-label={stored ? words.replaceKey(name) : words.addKey(name)}
                    onClick={() => setAdding(provider)}
                  >
                    {stored ? words.replace : words.add}
                  </Button>
                )}
                {stored && (
                  <RemoveButton
                    provider={provider}
                    onRemove={() =>
                      ask({
                        ...words.sureRemove(name),
                        onYes: () => remove.mutate(provider),
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
        {adding && <ModelKeyForm provider={adding} onClose={() => setAdding(undefined)} />}
      </Dialog>
      {dialog}
    </Panel>
  );
}

function RemoveButton({
  provider,
  onRemove,
}: {
  readonly provider: ModelKeyProvider;
  readonly onRemove: () => void;
}) {
  const button = useFocusAfter<HTMLButtonElement>((container) =>
    container?.querySelector<HTMLElement>(`[data-key-of=${provider}]`),
  );
  return (
    <Button
      ref={button}
      kind="quiet"
      aria-label={words.removeKey(nameOf(provider))}
      onClick={onRemove}
    >
      {words.remove}
    </Button>
  );
}

function nameOf(provider: ModelKeyProvider): string {
  return provider === "local" ? words.localName : words.providers[provider];
}

function usesWords({ provider, hint, model }: ModelKeyView): string {
  if (provider === "local")
    return words.local.uses(words.localServers[hint] ?? hint, model ?? words.defaultModel);
  return words.usesOwn(nameOf(provider), model ?? words.defaultModel);
}

/** A key that could not be tested is not used until its owner says so. */
function Untested({
  name,
  isTesting,
  onTest,
  onUse,
}: {
  readonly name: string;
  readonly isTesting: boolean;
  onTest(): void;
  onUse(): void;
}) {
  return (
    <div role="status" className="mt-2 border-l-2 border-ask-edge pl-3 text-sm">
      <p>{words.untested(name)}</p>
      <div className="mt-2 flex flex-wrap gap-2">
        <Button isBusy={isTesting} onClick={onTest}>
          {isTesting ? words.testing : words.testAgain}
        </Button>
        <Button kind="quiet" onClick={onUse}>
          {words.useAnyway}
        </Button>
      </div>
    </div>
  );
}

function KeyWords({
  view: { provider, hint, model, state, updatedAt },
  isUsed,
}: {
  readonly view: ModelKeyView;
  readonly isUsed: boolean;
}) {
  return (
    <>
      {[
        provider === "local" ? (words.localServers[hint] ?? hint) : words.endsWith(hint),
        ...(model === null ? [] : [model]),
        ...(state === "accepted" ? [words.accepted] : []),
        ...(isUsed ? [words.isUsed] : []),
      ].join(" · ")}{" "}
      · <Ago at={updatedAt} />
    </>
  );
}

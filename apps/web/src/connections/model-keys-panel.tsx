import {
  modelProviders,
  type ModelKeyProvider,
  type AboutView,
  type ModelKeyView,
  type ModelProvider,
} from "@bron/protocol";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { queries } from "../live/queries.ts";
import { connectionsWords } from "../words/connections.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Panel } from "../ui/panel.tsx";
import { Refused } from "../ui/refused.tsx";
import { Loading, Problem } from "../ui/states.tsx";
import { useConfirm } from "../ui/use-confirm.tsx";
import { ModelKeyForm } from "./model-key-form.tsx";
import { ModelKeyRow, providerName } from "./model-key-row.tsx";
import { useModelKeyChanges } from "./use-model-key-changes.ts";

const words = connectionsWords;

/**
 * The model keys of the owner. A stored key is never shown. The panel first says which key is used.
 */
export function ModelKeysPanel({ about }: { readonly about: AboutView }) {
  const keys = useQuery(queries.modelKeys());
  const [adding, setAdding] = useState<ModelProvider>();
  const { ask, dialog } = useConfirm();
  const { accept, test, remove } = useModelKeyChanges();
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
          const name = providerName(provider);
          const stored = keys.data?.find((key) => key.provider === provider);
          return (
            <ModelKeyRow
              key={provider}
              provider={provider}
              stored={stored}
              isUsed={stored !== undefined && stored === used}
              isTesting={test.isPending}
              onAdd={setAdding}
              onTest={() => test.mutate(provider)}
              onUse={() => ask({ ...words.sureUse(name), onYes: () => accept.mutate(provider) })}
              onRemove={() =>
                ask({ ...words.sureRemove(name), onYes: () => remove.mutate(provider) })
              }
            />
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

function usesWords({ provider, hint, model }: ModelKeyView): string {
  if (provider === "local")
    return words.local.uses(words.localServers[hint] ?? hint, model ?? words.defaultModel);
  return words.usesOwn(providerName(provider), model ?? words.defaultModel);
}

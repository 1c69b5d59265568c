import type { LocalServer } from "@bron/protocol";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../api.ts";
import { queries } from "../live/queries.ts";
import { connectionsWords } from "../words/connections.ts";
import { Button } from "../ui/button.tsx";
import { boxClass } from "../ui/field.tsx";
import { Panel } from "../ui/panel.tsx";
import { Problem } from "../ui/states.tsx";

const words = connectionsWords.local;

/** Models that run on the computer of the server. Nothing is shown if there are none. */
export function LocalModelsPanel() {
  const { data: servers = [] } = useQuery(queries.localModels());
  if (servers.length === 0) return null;
  return (
    <Panel title={words.title}>
      <p className="text-sm text-quiet">{words.about}</p>
      <ul className="mt-3 divide-y divide-edge">
        {servers.map((server) => (
          <li key={server.id} className="py-3 last:pb-0">
            <LocalServerRow server={server} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function LocalServerRow({ server: { id, models } }: { readonly server: LocalServer }) {
  const [chosen, setChosen] = useState("");
  const client = useQueryClient();
  const name = connectionsWords.localServers[id] ?? id;
  const model = models.includes(chosen) ? chosen : models[0];
  const use = useMutation({
    mutationFn: (wanted: string) =>
      api.call("PUT /api/local-models", { body: { server: id, model: wanted } }),
    onSuccess({ modelKeys }) {
      client.setQueryData(queries.modelKeys().queryKey, modelKeys);
      void client.invalidateQueries({ queryKey: ["models"] });
    },
  });
  if (model === undefined) return <p className="text-sm">{words.noModel(name)}</p>;
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <p className="mr-auto font-medium">{name}</p>
        <select
          aria-label={words.model(name)}
          value={model}
          onChange={({ target }) => setChosen(target.value)}
          className={`${boxClass} min-w-0`}
        >
          {models.map((known) => (
            <option key={known}>{known}</option>
          ))}
        </select>
        <Button isBusy={use.isPending} onClick={() => use.mutate(model)}>
          {use.isPending ? words.starting : words.use}
        </Button>
      </div>
      <Problem error={use.error} />
    </>
  );
}

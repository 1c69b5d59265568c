import type { BronView } from "@bron/protocol";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { api } from "../api.ts";
import type { useChangedBron } from "../brons/use-changed-bron.ts";
import { queries } from "../live/queries.ts";
import { Time } from "../time.tsx";
import { Button } from "../ui/button.tsx";
import { Panel } from "../ui/panel.tsx";
import { Refused } from "../ui/refused.tsx";
import { memoryWords } from "../words/memory.ts";
import { SummaryDiff } from "./summary-diff.tsx";

interface BronMemoryProps {
  readonly bron: BronView;
  readonly change: ReturnType<typeof useChangedBron>;
}

/** Whether a Bron remembers, and what the last update of its summary changed. */
export function BronMemory({ bron, change }: BronMemoryProps) {
  const client = useQueryClient();
  const undo = useMutation({
    mutationFn: () =>
      api.call("POST /api/brons/:id/memory/undo", { params: { id: bron.id }, body: {} }),
    onSuccess: (next) => {
      client.setQueryData(queries.bron(bron.id).queryKey, next);
      void client.invalidateQueries({ queryKey: ["brons"] });
    },
  });
  const { memoryBefore, memorySummary, memoryUpdatedAt } = bron;
  return (
    <Panel
      title={memoryWords.bronTitle}
      actions={
        <Link to="/memory" className="text-sm">
          {memoryWords.all}
        </Link>
      }
    >
      <label className="flex cursor-pointer items-start gap-3">
        <input
          type="checkbox"
          role="switch"
          className="mt-1 size-4 accent-accent"
          checked={bron.memoryOn}
          onChange={({ target }) => change.mutate({ memoryOn: target.checked })}
        />
        <span>
          <span className="font-medium">{memoryWords.bronOn}</span>
          <span className="mt-0.5 block text-sm text-quiet">{memoryWords.bronOnAbout}</span>
        </span>
      </label>
      <Refused error={undo.error} />
      {memoryBefore !== null && (
        <section
          aria-label={memoryWords.lastUpdate}
          className="mt-4 rounded-lg border border-edge p-3"
        >
          <div className="mb-2 flex flex-wrap items-center justify-between gap-2">
            <h3 className="m-0 text-sm font-semibold">
              {memoryWords.lastUpdate}
              {memoryUpdatedAt !== null && (
                <span className="font-normal text-quiet">
                  {" · "}
                  <Time at={memoryUpdatedAt} />
                </span>
              )}
            </h3>
            <Button isBusy={undo.isPending} onClick={() => undo.mutate()}>
              {memoryWords.undo}
            </Button>
          </div>
          <SummaryDiff before={memoryBefore} after={memorySummary} />
        </section>
      )}
    </Panel>
  );
}

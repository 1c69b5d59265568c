import { visible, type BronView, type TrustLevel } from "@bron/protocol";
import { useQueryClient } from "@tanstack/react-query";
import { api } from "../api.ts";
import { queries } from "../live/queries.ts";
import { useOptimistic } from "../live/use-optimistic.ts";
import { trustWords } from "../words/trust.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Panel } from "../ui/panel.tsx";
import { Refused } from "../ui/refused.tsx";
import { TrustChoice } from "./trust-choice.tsx";

/** The trust level of each Bron. */
export function TrustPanel({ brons }: { readonly brons: readonly BronView[] }) {
  const client = useQueryClient();
  const change = useOptimistic({
    queryKey: queries.brons().queryKey,
    request: ({ id, level }: { readonly id: string; readonly level: TrustLevel }) =>
      api.call("PATCH /api/brons/:id", { params: { id }, body: { trustLevel: level } }),
    predict: (before, { id, level }) =>
      before.map((bron) => (bron.id === id ? { ...bron, trustLevel: level } : bron)),
  });
  return (
    <Panel title={trustWords.title}>
      <p className="mb-4 text-sm text-quiet">{trustWords.about}</p>
      <Refused error={change.error} />
      <ul className="grid grid-cols-1 gap-3">
        {brons.map(({ id, name, avatarColor, trustLevel }) => (
          <li key={id}>
            <details
              className="group rounded-lg border border-edge open:p-3"
              open={brons.length === 1}
            >
              <summary className="flex cursor-pointer flex-wrap items-center gap-x-3 gap-y-1 rounded-lg p-3 group-open:p-0 group-open:pb-3">
                <Avatar name={name} color={avatarColor} size="sm" />
                <span className="min-w-0 flex-1 basis-28 font-medium wrap-anywhere">
                  {visible(name)}
                </span>
                <span className="shrink-0 text-sm">{trustWords.levels[trustLevel].name}</span>
                <span className="shrink-0 text-sm text-accent group-open:hidden">
                  {trustWords.change}
                </span>
              </summary>
              <TrustChoice
                name={visible(name)}
                level={trustLevel}
                onChange={(level) =>
                  change.mutate(
                    { id, level },
                    { onSuccess: () => void client.invalidateQueries({ queryKey: ["bron", id] }) },
                  )
                }
              />
            </details>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

import { describeAskedFor } from "@bron/protocol";
import { useMutation } from "@tanstack/react-query";
import { api } from "../api.ts";
import { texts } from "../texts.ts";
import { Button } from "../ui/button.tsx";
import { Problem } from "../ui/states.tsx";
import type { PlanItem, PlannedAsk } from "./item.ts";

/** What the owner asked for, as Bron understood it. Each line can be crossed out until it is used. */
export function Plan({ plan, runId }: { readonly plan: PlanItem; readonly runId: string }) {
  const { asks, prohibitions, isOver = false } = plan;
  if (asks.length === 0 && prohibitions.length === 0)
    return <p className="py-0.5 text-sm text-quiet">{texts.plan.nothing}</p>;
  return (
    <div className="py-0.5 text-sm text-quiet">
      {asks.length > 0 && (
        <>
          <p>{texts.plan.title}</p>
          <ul className="my-1">
            {asks.map((ask) => (
              <Ask key={ask.key} ask={ask} runId={runId} canCrossOut={!isOver} />
            ))}
          </ul>
        </>
      )}
      {prohibitions.map(({ words }, index) => (
        <p key={index} className="wrap-anywhere">
          {texts.plan.forbidden(words)}
        </p>
      ))}
      <p>{texts.plan.rest}</p>
    </div>
  );
}

function Ask({
  ask,
  runId,
  canCrossOut,
}: {
  readonly ask: PlannedAsk;
  readonly runId: string;
  readonly canCrossOut: boolean;
}) {
  const crossOut = useMutation({
    mutationFn: () =>
      api.call("POST /api/runs/:id/cross-out", { params: { id: runId }, body: { key: ask.key } }),
  });
  const what = describeAskedFor(ask, texts.cards.askedFor);
  const isOut = ask.state === "crossed_out";
  return (
    <li className="flex flex-wrap items-center gap-x-3">
      {isOut ? (
        <s className="wrap-anywhere">{what}</s>
      ) : (
        <span className="text-ink wrap-anywhere">{what}</span>
      )}
      {isOut && <span>{texts.plan.crossedOut}</span>}
      {ask.state === "open" && canCrossOut && (
        <Button
          kind="quiet"
          isBusy={crossOut.isPending}
          aria-label={texts.plan.crossOutAsk(what)}
          onClick={() => crossOut.mutate()}
        >
          {texts.plan.crossOut}
        </Button>
      )}
      <Problem error={crossOut.error} />
    </li>
  );
}

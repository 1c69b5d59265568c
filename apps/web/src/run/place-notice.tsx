import { describePlace, visible, type Place, type RunView } from "@bron/protocol";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "../api.ts";
import { queries } from "../live/queries.ts";
import { texts } from "../texts.ts";
import { Button } from "../ui/button.tsx";
import { Problem } from "../ui/states.tsx";
import { usePlaceGone } from "../live/use-place-gone.ts";

/** Where a task runs. If nothing runs there, the owner can move it. */
export function PlaceNotice({ run, place }: { readonly run: RunView; readonly place: Place }) {
  const { isGone, places } = usePlaceGone(run);
  const client = useQueryClient();
  const move = useMutation({
    mutationFn: (to: Place | null) =>
      api.call("POST /api/runs/:id/place", { params: { id: run.id }, body: { place: to } }),
    onSettled: () =>
      Promise.all([
        client.invalidateQueries(queries.run(run.id)),
        client.invalidateQueries(queries.places()),
      ]),
  });
  const name = visible(describePlace(place, texts.place));
  if (!isGone)
    return <p className="mt-1 truncate text-sm text-quiet">{texts.place.runsIn(name)}</p>;
  const others = places.filter((one) => one.isServed);
  return (
    <div role="status" className="mt-2 rounded-lg border border-edge bg-raised px-4 py-3 text-sm">
      <p className="wrap-anywhere">{texts.place.waits(name)}</p>
      {run.parentRunId === null && (
        <p className="mt-2 flex flex-wrap gap-2">
          {others.map((one) => (
            <Button
              key={nameOf(one.place)}
              disabled={move.isPending}
              onClick={() => move.mutate(one.place)}
            >
              {texts.place.moveTo(visible(nameOf(one.place)))}
            </Button>
          ))}
          <Button disabled={move.isPending} onClick={() => move.mutate(null)}>
            {texts.place.moveAnywhere}
          </Button>
        </p>
      )}
      <Problem error={move.error} />
    </div>
  );
}

const nameOf = (place: Place) => describePlace(place, texts.place);

import { describePlace, isTerminal, type PlaceView, type RunView } from "@bron/protocol";
import { useQuery } from "@tanstack/react-query";
import { queries } from "./queries.ts";

/** Whether a run waits for a place where nothing runs, and the places of all unfinished runs. */
export function usePlaceGone(run: Pick<RunView, "status" | "place" | "runnable"> | undefined): {
  readonly isGone: boolean;
  readonly places: readonly PlaceView[];
} {
  const place = run && !isTerminal(run.status) ? run.place : null;
  const { data: places = [] } = useQuery({ ...queries.places(), enabled: place !== null });
  const known = place && places.find((one) => describePlace(one.place) === describePlace(place));
  return { isGone: run?.runnable === true && known?.isServed === false, places };
}

import type { Client } from "@bron/client";
import { describePlace, isTerminal, placeWords, type Place, type RunView } from "@bron/protocol";
import { oneLine } from "./render/visible.ts";

/** The places that these runs require and that no worker serves now. */
export async function findGonePlaces(
  client: Client,
  runs: readonly RunView[],
): Promise<ReadonlySet<string>> {
  if (!runs.some(({ place, status }) => place !== null && !isTerminal(status))) return new Set();
  const { places } = await client.call("GET /api/places");
  return new Set(places.filter(({ isServed }) => !isServed).map(({ place }) => keyOf(place)));
}

/** "Waits for the folder /home/eva/site on evas-laptop, which is not running." */
export function placeWait(run: RunView, gone: ReadonlySet<string>): string | undefined {
  const { place, status, runnable } = run;
  if (place === null || isTerminal(status) || !runnable || !gone.has(keyOf(place)))
    return undefined;
  return placeWords.waits(oneLine(describePlace(place)));
}

const keyOf = (place: Place) => describePlace(place);

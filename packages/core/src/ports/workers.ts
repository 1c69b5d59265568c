import type { Place, PlaceView, ServedPlace } from "@bron/protocol";

/** A worker that has not reported for this long is gone. */
export const workerTimeoutMs = 15_000;

/** The places that a worker serves. */
export type ServedPlaces = readonly ServedPlace[];

/** Which workers run, and which places they serve. All times are the store's. */
export interface Workers {
  /** Reports that a worker runs. Call it again well within `workerTimeoutMs`. */
  report(worker: string, places: ServedPlaces): Promise<void>;
  /** Reports that a worker has stopped. */
  remove(worker: string): Promise<void>;
  /** The places that unfinished runs of the owner require. */
  places(ownerId: string): Promise<PlaceView[]>;
  /** Whether a worker that runs serves this place. */
  isServed(place: Place): Promise<boolean>;
}

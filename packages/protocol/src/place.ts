import { z } from "zod";

const name = z.string().min(1).max(200);

/**
 * Where a run may be advanced: in a folder on a machine, or in one process. Both are names that a
 * worker declares, so they are never resolved.
 */
export const placeSchema = z.union([
  z.strictObject({ machine: name, folder: z.string().min(1).max(4_000) }),
  z.strictObject({ process: name }),
]);
export type Place = Readonly<z.infer<typeof placeSchema>>;

/** A place that a worker serves. Without a folder, it serves all folders of the machine. */
export const servedPlaceSchema = z.union([
  ...placeSchema.options,
  z.strictObject({ machine: name }),
]);
export type ServedPlace = Readonly<z.infer<typeof servedPlaceSchema>>;

/** Whether a worker with these places may advance a run. A run without a place may go anywhere. */
export function servesPlace(served: readonly ServedPlace[], place: Place | null): boolean {
  return place === null || served.some((one) => isServedBy(place, one));
}

function isServedBy(place: Place, served: ServedPlace): boolean {
  if ("process" in served) return "process" in place && place.process === served.process;
  if ("process" in place || place.machine !== served.machine) return false;
  return !("folder" in served) || served.folder === place.folder;
}

/** A place that unfinished runs of an owner require. */
export const placeViewSchema = z.object({
  place: placeSchema,
  /** Whether a worker that serves it is running now. */
  isServed: z.boolean(),
  /** The number of unfinished runs that require it. */
  runs: z.number().int(),
});
export type PlaceView = Readonly<z.infer<typeof placeViewSchema>>;

/** The words for a place. To translate them, pass another table. */
interface PlaceWords {
  readonly folder: (folder: string, machine: string) => string;
  readonly process: (id: string) => string;
  readonly anywhere: string;
  /** The argument is a place in words. */
  readonly waits: (place: string) => string;
}

export const placeWords: PlaceWords = {
  folder: (folder, machine) => `the folder ${folder} on ${machine}`,
  process: (id) => `the process ${id}`,
  anywhere: "anywhere",
  waits: (place) => `Waits for ${place}, which is not running.`,
};

/** "the folder /home/eva/site on evas-laptop" */
export function describePlace(place: Place | null, words: PlaceWords = placeWords): string {
  if (place === null) return words.anywhere;
  return "process" in place
    ? words.process(place.process)
    : words.folder(place.folder, place.machine);
}

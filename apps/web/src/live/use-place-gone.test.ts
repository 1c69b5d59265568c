import type { PlaceView, RunView } from "@bron/protocol";
import { expect, it } from "vitest";
import { renderHook, testQueryClient } from "../render-hook.fixture.tsx";
import { queries } from "./queries.ts";
import { usePlaceGone } from "./use-place-gone.ts";

const place = { kind: "folder", machine: "m", path: "/x" } as unknown as PlaceView["place"];
const waiting = { status: "queued", runnable: true, place } as RunView;

function isGone(run: RunView | undefined, isServed?: boolean): boolean {
  const client = testQueryClient();
  if (isServed !== undefined)
    client.setQueryData(queries.places().queryKey, [{ place, isServed } as PlaceView]);
  return renderHook(client, () => usePlaceGone(run)).isGone;
}

it("says that a place is gone only if the run waits for it and nothing runs there", () => {
  expect(isGone(waiting, false)).toBe(true);
  expect(isGone(waiting, true)).toBe(false);
  expect(isGone(waiting)).toBe(false);
  expect(isGone({ ...waiting, runnable: false }, false)).toBe(false);
  expect(isGone({ ...waiting, place: null }, false)).toBe(false);
  expect(isGone({ ...waiting, status: "canceled" }, false)).toBe(false);
  expect(isGone(undefined, false)).toBe(false);
});

import type { Client } from "@bron/client";
import type { PlaceView, RunView } from "@bron/protocol";
import { expect, it } from "vitest";
import { findGonePlaces, placeWait } from "./place-wait.ts";

const place = { machine: "evas-laptop", folder: "/home/eva/site" };
const run = { id: "r", place, status: "queued", runnable: true } as unknown as RunView;

const clientWith = (isServed: boolean) =>
  ({
    call: () => Promise.resolve({ places: [{ place, isServed, runs: 1 }] satisfies PlaceView[] }),
  }) as unknown as Client;

it("says which place a run waits for, if nothing runs there", async () => {
  const gone = await findGonePlaces(clientWith(false), [run]);
  expect(placeWait(run, gone)).toBe(
    "Waits for the folder /home/eva/site on evas-laptop, which is not running.",
  );
  for (const other of [
    { ...run, runnable: false },
    { ...run, status: "completed" as const },
    { ...run, place: null },
    { ...run, place: { process: "p" } },
  ])
    expect(placeWait(other, gone)).toBeUndefined();
});

it("says nothing about a place that is served", async () => {
  expect(placeWait(run, await findGonePlaces(clientWith(true), [run]))).toBeUndefined();
});

import { rm } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { runCommand, startOnce, stop } from "./support/bron-start.ts";
import { temporaryHome, type Environment } from "./support/environment.ts";
import { median, sum, type BenchmarkResult } from "./support/figures.ts";
import { signIn } from "./support/sign-in.ts";
import { speedBars } from "./support/speed-bars.ts";

interface Event {
  readonly type: string;
  readonly createdAt: string;
  readonly payload: { readonly phase?: string; readonly name?: string; readonly status?: string };
}

interface Sample {
  readonly postMs: number;
  readonly searchMs: number;
  readonly extractMs: number;
  readonly activeMs: number;
  readonly ownMs: number;
}

/**
 * Runs the complete mail task of the demo over HTTP: what a person waits for, and Bron's own share
 * of it.
 */
export async function mail({ quick }: Environment): Promise<BenchmarkResult> {
  const home = await temporaryHome();
  try {
    const { child, url } = await startOnce(home);
    try {
      const cookie = await signIn(
        /http:\S+sign-in\S+/.exec(await runCommand(home, "open"))?.[0] ?? "",
      );
      const samples: Sample[] = [];
      for (let repeat = 0; repeat < (quick ? 3 : 15) + 1; repeat++) {
        const sample = await doTask(url, cookie);
        // The first run loads modules and is not counted.
        if (repeat > 0) samples.push(sample);
      }
      const of = (pick: (sample: Sample) => number) => median(samples.map(pick));
      return {
        figures: [
          {
            name: "BR24 mail task: POST to answer",
            value: of(({ postMs }) => postMs),
            unit: "ms",
            bar: speedBars.createRun,
          },
          {
            name: "BR24 mail task: search",
            value: of(({ searchMs }) => searchMs),
            unit: "ms",
            bar: speedBars.mailSearch,
          },
          {
            name: "BR24 mail task: extraction of a small PDF",
            value: of(({ extractMs }) => extractMs),
            unit: "ms",
            bar: speedBars.smallExtraction,
          },
          {
            name: "BR24 mail task: prompt to sent, without the person",
            value: of(({ activeMs }) => activeMs),
            unit: "ms",
            bar: speedBars.demoRun,
          },
          {
            name: "of which Bron's own, beside model and tools",
            value: of(({ ownMs }) => ownMs),
            unit: "ms",
          },
        ],
      };
    } finally {
      await stop(child);
    }
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

async function doTask(url: string, cookie: string): Promise<Sample> {
  const ask = async <T>(path: string, body?: unknown): Promise<T> => {
    const response = await fetch(`${url}${path}`, {
      headers: { cookie, "content-type": "application/json" },
      method: body === undefined ? "GET" : "POST",
      body: body === undefined ? null : JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path} returned ${response.status}`);
    return (await response.json()) as T;
  };
  const until = async (id: string, wanted: string) => {
    for (;;) {
      const { status } = await ask<{ status: string }>(`/api/runs/${id}`);
      if (status === wanted) return;
      if (status === "failed") throw new Error("The task failed");
      await sleep(5);
    }
  };
  const { suggestions } = await ask<{ suggestions: string[] }>("/api/about");
  const startedAt = performance.now();
  const { id } = await ask<{ id: string }>("/api/runs", { prompt: suggestions[0] });
  const postMs = performance.now() - startedAt;
  await until(id, "awaiting_confirmation");
  const { approvals } = await ask<{ approvals: { id: string; digest: string }[] }>(
    `/api/approvals?runId=${id}&pending=true`,
  );
  await ask(`/api/approvals/${approvals[0]?.id}/approve`, { digest: approvals[0]?.digest });
  await until(id, "completed");
  const { events } = await ask<{ events: Event[] }>(`/api/runs/${id}/events`);
  return { postMs, ...durationsOf(events) };
}

/** Computes durations from the times in the log, from each start event to its end event. */
function durationsOf(events: readonly Event[]): Omit<Sample, "postMs"> {
  const at = ({ createdAt }: Event) => Date.parse(createdAt);
  const spans = (type: string) =>
    events.flatMap((event, index) => {
      if (event.type !== type || event.payload.phase !== "start") return [];
      const end = events
        .slice(index)
        .find(
          (other) =>
            other.type === type &&
            other.payload.phase === "end" &&
            other.payload.name === event.payload.name,
        );
      return end ? [{ name: event.payload.name ?? "", ms: at(end) - at(event) }] : [];
    });
  const msOf = (name: string) =>
    sum(
      spans("tool")
        .filter((span) => span.name === name)
        .map(({ ms }) => ms),
    );
  const first = events[0];
  const last = events.at(-1);
  const parked = events.findIndex(
    ({ type, payload }) => type === "status" && payload.status === "awaiting_confirmation",
  );
  const decided = events[parked + 1];
  const activeMs =
    first && last && decided && events[parked]
      ? at(last) - at(first) - (at(decided) - at(events[parked]))
      : Number.NaN;
  return {
    searchMs: msOf("gmail_search"),
    extractMs: msOf("document_read"),
    activeMs,
    ownMs: activeMs - sum([...spans("tool"), ...spans("step")].map(({ ms }) => ms)),
  };
}

import { setTimeout as wait } from "node:timers/promises";
import { omitUndefined, type ApprovalView, type BronView, type RunView } from "@bron/protocol";
import type { Page } from "playwright-core";

export interface SeededRuns {
  readonly second: BronView;
  /** A finished run that sent an email. */
  readonly finishedRun: string;
  /** A run that waits for an approval. */
  readonly pendingRun: string;
}

/** Calls the API as the page does, with the page's session. */
export async function ask<T>(
  page: Page,
  method: "GET" | "POST" | "PATCH",
  path: string,
  body?: unknown,
): Promise<T> {
  return await page.evaluate(
    async ([how, to, sent]) =>
      (await (
        await fetch(to, {
          method: how,
          ...(sent === undefined
            ? {}
            : { headers: { "content-type": "application/json" }, body: sent }),
        })
      ).json()) as never,
    [method, path, body === undefined ? undefined : JSON.stringify(body)] as const,
  );
}

/**
 * Fills a home with data: two more Brons, a sent email, an email that waits for approval, small
 * tasks, rules, trusted contacts, a grant and a token. `page` must be signed in.
 */
export async function seedRuns(page: Page): Promise<SeededRuns> {
  const { suggestions } = await ask<{ suggestions: string[] }>(page, "GET", "/api/about");
  const prompt =
    suggestions.find((suggestion) => suggestion.startsWith("Find the latest invoice")) ?? "";
  const second = await ask<BronView>(page, "POST", "/api/brons", {
    name: "Research",
    systemPrompt: "Be brief. Quote where something was found.",
    trustLevel: "supervised",
  });
  const third = await ask<BronView>(page, "POST", "/api/brons", {
    name: "Billing",
    trustLevel: "delegated",
  });
  const startTask = async (task: string, bronId?: string) =>
    (await ask<RunView>(page, "POST", "/api/runs", { prompt: task, ...omitUndefined({ bronId }) }))
      .id;
  const [finishedRun, pendingRun] = [await startTask(prompt), await startTask(prompt, second.id)];
  for (const sum of ["12 * (3 + 4)", "17% of 2340", "1024 / 8", "99 * 99"])
    await startTask(`What is ${sum}?`, third.id);
  for (const rule of [
    { tool: "calendar_*", verdict: "ask" },
    { tool: "web_fetch", verdict: "deny", bronId: second.id },
  ])
    await ask(page, "POST", "/api/permissions/rules", rule);
  for (const value of ["lindqvist.example", "rachel@northwind-parts.example"])
    await ask(page, "POST", "/api/permissions/allowed", { value });
  await ask(page, "POST", "/api/permissions/grants", {
    tool: "gmail_send",
    recipient: "jonas@lindqvist.example",
    days: 7,
  });
  await ask(page, "POST", "/api/tokens", {
    name: "Backup script",
    scopes: ["read", "run"],
    days: 30,
  });
  const pending = async () =>
    (await ask<{ approvals: ApprovalView[] }>(page, "GET", "/api/approvals?pending=true"))
      .approvals;
  await until(async () => (await pending()).length === 2);
  const seen = (await pending()).find(({ runId }) => runId === finishedRun);
  await ask(page, "POST", `/api/approvals/${seen?.id}/approve`, { digest: seen?.digest });
  await until(async () =>
    (await ask<{ runs: RunView[] }>(page, "GET", "/api/runs")).runs.every(
      ({ id, finishedAt }) => id === pendingRun || finishedAt !== null,
    ),
  );
  return { second, finishedRun, pendingRun };
}

async function until(isDone: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 60_000; Date.now() < end; await wait(200))
    if (await isDone()) return;
  throw new Error("It did not come to that in a minute.");
}

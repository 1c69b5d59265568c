import type { Clock, Grant, TokenVault } from "@bron/core";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import type { SlackConfig } from "./slack-config.ts";

export type SlackAnswer = Readonly<Record<string, unknown>>;

interface Asked {
  readonly method: string;
  readonly args: Readonly<Record<string, string>>;
  readonly token: string | undefined;
}

/** A few methods of Slack's over real HTTP; what throws a number answers with that status. */
export interface SlackServer {
  readonly config: SlackConfig & { readonly endpoints: NonNullable<SlackConfig["endpoints"]> };
  readonly asked: Asked[];
}

export async function startSlack(methods: Readonly<Record<string, (args: Readonly<Record<string, string>>) => SlackAnswer | number | Promise<SlackAnswer | number>>>): Promise<SlackServer> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk)).on("end", () => {
      const method = (request.url ?? "").replace("/api/", "");
      const args = Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString()));
      asked.push({ method, args, token: request.headers.authorization?.replace("Bearer ", "") });
      void Promise.resolve(methods[method]?.(args) ?? { ok: false, error: "unknown_method" }).then((answer) => {
        const status = typeof answer === "number" ? answer : 200;
        const limits = status === 429 ? { "retry-after": "3" } : {};
        response.writeHead(status, { "content-type": "application/json", ...limits }).end(JSON.stringify(typeof answer === "number" ? {} : { ok: true, ...answer }));
      });
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { asked, config: { app: { clientId: "client", clientSecret: "secret" }, endpoints: { authorize: `${url}/authorize`, api: `${url}/api/` } } };
}

/** Owners' grants in memory, replaced only as they were read. */
export function grantVault(grants: Readonly<Record<string, Grant>> = {}): TokenVault {
  const kept = new Map(Object.entries(grants));
  return {
    load: (ownerId) => Promise.resolve(kept.get(ownerId)),
    save: (ownerId, _, grant) => Promise.resolve(void kept.set(ownerId, grant)),
    renew(ownerId, _, before, renewed) {
      const isSame = kept.get(ownerId)?.accessToken === before.accessToken;
      if (isSame) kept.set(ownerId, renewed);
      return Promise.resolve(isSame);
    },
    remove: (ownerId) => Promise.resolve(void kept.delete(ownerId)),
  };
}

export const noon = Date.UTC(2026, 10, 15, 12);

/** Stands still, and remembers how long it was slept. */
export function stillClock(): Clock & { readonly slept: number[]; set(now: number): void } {
  const slept: number[] = [];
  let now = noon;
  return {
    slept,
    now: () => now,
    monotonic: () => now,
    random: () => 0.5,
    sleep: (ms) => Promise.resolve(void slept.push(ms)),
    set: (time) => {
      now = time;
    },
  };
}

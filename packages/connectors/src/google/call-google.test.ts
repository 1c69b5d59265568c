import { setTimeout as sleep } from "node:timers/promises";
import type { Clock, Grant, TokenVault } from "@bron/core";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { once } from "node:events";
import { afterEach, describe, expect, it } from "vitest";
import { changeAtGoogle, readFromGoogle } from "./call-google.ts";
import { gmailService } from "./gmail-service.ts";
import { createGoogleAccounts } from "./google-accounts.ts";
import { gmailScopes } from "./scopes.ts";

const grant: Grant = {
  account: "eva@x.example",
  accessToken: "a",
  refreshToken: "r",
  expiresAt: Date.now() + 3_600_000,
  scopes: gmailScopes.map(({ scope }) => scope),
};
const vault: TokenVault = {
  load: () => Promise.resolve(grant),
  save: () => Promise.resolve(),
  renew: () => Promise.resolve(true),
  remove: () => Promise.resolve(),
};
const clock: Clock = {
  now: Date.now,
  monotonic: () => performance.now(),
  random: () => 0.5,
  sleep: (ms) => sleep(ms),
};

describe("a change that is aborted before its request", () => {
  const server = createServer((request, response) => {
    asked++;
    request.resume();
    response.writeHead(200, { "content-type": "application/json" }).end('{"id":"d"}');
  });
  let asked = 0;
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  it("X2 sends no request and does not end the process", async () => {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const rootUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const config = {
      clientId: "c",
      clientSecret: "s",
      endpoints: { authorize: rootUrl, token: rootUrl, revoke: rootUrl, rootUrl },
    };
    const deps = {
      accounts: createGoogleAccounts({ config, vault, now: Date.now }),
      clock,
      service: gmailService(config),
    };
    const put = (signal: AbortSignal) =>
      changeAtGoogle(deps, { ownerId: "eva", signal }, ({ gmail }, options) =>
        gmail.users.drafts.create(
          { userId: "me", requestBody: { message: { raw: "eA" } } },
          options,
        ),
      );
    expect(await put(new AbortController().signal)).toEqual({ id: "d" });
    await expect(put(AbortSignal.abort())).rejects.toThrow();
    // An unhandled error would end this process before the response to the next request arrives.
    expect(await put(new AbortController().signal)).toEqual({ id: "d" });
    expect(asked).toBe(2);
  });
});

describe("a read that fails temporarily", () => {
  it("BR20 is retried with growing delays that differ from caller to caller", async () => {
    const pausesWith = async (random: number) => {
      const pauses: number[] = [];
      const sleeping: Clock = {
        ...clock,
        random: () => random,
        sleep: (ms) => Promise.resolve(void pauses.push(ms)),
      };
      const deps = {
        accounts: {
          access: () => Promise.resolve({ account: "eva@x.example", accessToken: "a", scopes: [] }),
        },
        clock: sleeping,
        service: { name: "Gmail", scopes: [], connect: () => Promise.resolve({}) },
      };
      const failing = () =>
        Promise.reject(Object.assign(new Error("busy"), { response: { status: 503 } }));
      await expect(
        readFromGoogle(deps, { ownerId: "eva", signal: new AbortController().signal }, failing),
      ).rejects.toMatchObject({ code: "tool_failed" });
      return pauses;
    };
    expect(await pausesWith(0)).toEqual([300, 600, 1_200]);
    expect(await pausesWith(1)).toEqual([500, 1_000, 2_000]);
  });
});

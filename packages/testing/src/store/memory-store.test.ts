import { randomUUID } from "node:crypto";
import type { Wake } from "@bron/core";
import { storeContract } from "../contracts/store-contract.ts";
import { createMemoryStore } from "./memory-store.ts";

storeContract("memory", async () => {
  let time = Date.parse("2026-01-05T09:00:00Z");
  const wakes: Wake[] = [];
  const waker = { takesHere: () => false, enlist: () => Promise.resolve(), committed: (wake: Wake) => void wakes.push(wake) };
  const store = createMemoryStore({ now: () => time, uuid: randomUUID, waker });
  return {
    store,
    wakes,
    async passTime(ms) {
      time += ms;
    },
    close: () => Promise.resolve(),
  };
});

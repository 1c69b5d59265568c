import type { Wake } from "@bron/core";
import { type StoreUnderTest, storeContract, uploadsContract } from "@bron/testing";
import { memoryStore } from "./memory-store.ts";

const open = async (): Promise<StoreUnderTest> => {
  let time = Date.parse("2026-01-05T09:00:00Z");
  const wakes: Wake[] = [];
  const waker = {
    takesHere: () => false,
    enlist: () => Promise.resolve(),
    committed: (wake: Wake) => void wakes.push(wake),
  };
  const store = memoryStore({ now: () => time });
  store.setWaker(waker);
  return {
    store,
    wakes,
    async passTime(ms) {
      time += ms;
    },
    close: () => Promise.resolve(),
  };
};

storeContract("memory", open);
uploadsContract("memory", open);

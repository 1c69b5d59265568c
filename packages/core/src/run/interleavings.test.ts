import { interleavingsContract, isFullSuite } from "@bron/testing";

interleavingsContract("memory", {
  count: isFullSuite ? 400 : 12,
  open: () =>
    Promise.resolve({ passTime: () => Promise.resolve(), close: () => Promise.resolve() }),
});

export { readEverything } from "./models/read-everything.ts";
export {
  scriptedLanguageModel,
  type Reader,
  type Script,
  type ScriptedMessage,
} from "./models/scripted-language-model.ts";
export { memoryAccess } from "./access/memory-access.ts";
export { storeContract } from "./contracts/store-contract.ts";
export type { StoreUnderTest } from "./contracts/store/store-harness.ts";
export { interleavingsContract } from "./contracts/interleavings-contract.ts";
export { uploadsContract } from "./contracts/uploads-contract.ts";
export {
  modelWithFaults,
  storeWithFaults,
  toolWithFaults,
  type Hit,
} from "./faults/fault-points.ts";
export { manualClock, type ManualClock } from "./clock/manual-clock.ts";
export {
  createLoopHarness,
  type LoopHarness,
  type LoopHarnessOptions,
} from "./loop/loop-harness.ts";
export { growthPerCharacter, longestTurnMs, threadCpuMs } from "./cpu/cpu-time.ts";
export { makeTempFolder, tempFolder } from "./files/temp-folder.ts";
export { randomFrom } from "./random/random-from.ts";
export { isFullSuite, sampleCount } from "./suite.ts";

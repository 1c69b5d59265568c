import type { CrashMatrix } from "./crash-matrix.ts";

const draft = "gmail.users.drafts.create";

export const mailMethods = [draft, "gmail.users.drafts.send"];

/** What fails at Google, once while the draft is created and once while it is sent. */
export const mailFaults: CrashMatrix["modes"] = {
  plain: {},
  "no answer": { fault: { kind: "frozen", when: "before" } },
  "no answer about the draft": { fault: { kind: "frozen", when: "before" }, at: [draft] },
  "500 after the effect": { fault: { kind: "status", status: 500, when: "after" } },
  "cut before the effect": { fault: { kind: "cut", when: "before" } },
  "cut after the effect": { fault: { kind: "cut", when: "after" } },
  slow: { fault: { kind: "slow", ms: 300 } },
  "slower than its deadline": { fault: { kind: "slow", ms: 4_500, when: "after" } },
};

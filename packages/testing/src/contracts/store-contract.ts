import { describe } from "vitest";
import { testApprovals } from "./store/approvals.ts";
import { testArtifacts } from "./store/artifacts.ts";
import { testAudit } from "./store/audit.ts";
import { testBudgets } from "./store/budgets.ts";
import { testCancel } from "./store/cancel.ts";
import { testChildRuns } from "./store/child-runs.ts";
import { testClaims } from "./store/claims.ts";
import { testEffects } from "./store/effects.ts";
import { testLog } from "./store/log.ts";
import { testRuns } from "./store/runs.ts";
import { testThreads } from "./store/threads.ts";
import { openStoreHarness, type StoreUnderTest } from "./store/store-harness.ts";

/** The contract of every store. It runs on the in-memory store and on Postgres. */
export function storeContract(name: string, open: () => Promise<StoreUnderTest>): void {
  describe(`store contract: ${name}`, () => {
    const harness = openStoreHarness(open);
    testRuns(harness);
    testClaims(harness);
    testLog(harness);
    testApprovals(harness);
    testCancel(harness);
    testChildRuns(harness);
    testAudit(harness);
    testEffects(harness);
    testBudgets(harness);
    testArtifacts(harness);
    testThreads(harness);
  });
}

import { describe } from "vitest";
import { testAccounts } from "./store/accounts.ts";
import { testApprovals } from "./store/approvals.ts";
import { testArtifacts } from "./store/artifacts.ts";
import { testAskUses } from "./store/ask-uses.ts";
import { testAudit } from "./store/audit.ts";
import { testBrons } from "./store/brons.ts";
import { testBudgets } from "./store/budgets.ts";
import { testCancel } from "./store/cancel.ts";
import { testChildRuns } from "./store/child-runs.ts";
import { testClientActions } from "./store/client-actions.ts";
import { testClaims } from "./store/claims.ts";
import { testEffects } from "./store/effects.ts";
import { testLive } from "./store/live.ts";
import { testLog } from "./store/log.ts";
import { testOwnerMessages } from "./store/owner-messages.ts";
import { testPlaces } from "./store/places.ts";
import { testPermissions } from "./store/permissions.ts";
import { testQuestions } from "./store/questions.ts";
import { testRuns } from "./store/runs.ts";
import { testSweep } from "./store/sweep.ts";
import { testThreadDeletion } from "./store/thread-deletion.ts";
import { testThreadList } from "./store/thread-list.ts";
import { testThreads } from "./store/threads.ts";
import { testUsage } from "./store/usage.ts";
import { testWaits } from "./store/waits.ts";
import { openStoreHarness, type StoreUnderTest } from "./store/store-harness.ts";

/** The contract of every store. It runs on the in-memory store and on Postgres. */
export function storeContract(name: string, open: () => Promise<StoreUnderTest>): void {
  describe(`store contract: ${name}`, () => {
    const harness = openStoreHarness(open);
    testRuns(harness);
    testClaims(harness);
    testLog(harness);
    testApprovals(harness);
    testQuestions(harness);
    testClientActions(harness);
    testPlaces(harness);
    testCancel(harness);
    testOwnerMessages(harness);
    testChildRuns(harness);
    testWaits(harness);
    testAudit(harness);
    testEffects(harness);
    testAskUses(harness);
    testBudgets(harness);
    testArtifacts(harness);
    testThreads(harness);
    testThreadList(harness);
    testThreadDeletion(harness);
    testSweep(harness);
    testBrons(harness);
    testPermissions(harness);
    testAccounts(harness);
    testLive(harness);
    testUsage(harness);
  });
}

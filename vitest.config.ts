import { defineConfig } from "vitest/config";
import { SummaryReporter } from "./scripts/vitest-summary-reporter.ts";

/** Long ones, which `npm run test:crash` runs; each has a shorter companion that stays. */
export const longer = [
  "apps/cli/src/e2e/{runs,topology,traces}.test.ts",
  "packages/store/src/embedded/sharing.test.ts",
  "test/browser/{approvals,axe,connection,edit-approval,focus,long-run,sandbox,settings,tab-title}.test.ts",
  "test/crash/{database,two-workers}.test.ts",
  "test/kill-run/kill-run.test.ts",
  "test/workspace/every-fault.test.ts",
  "test/mail/{duplicate-drafts,mail-crash,send-recovery}.test.ts",
  "test/workspace/calendar-crash.test.ts",
  "test/http/{many-servers,sigterm}.test.ts",
  "apps/cli/src/e2e/{audit,backup}.test.ts",
];

/** They read the repository and need no database, so `npm run check` runs them alone. */
const structure = ["test/architecture.test.ts", "test/requirements.test.ts"];

/** They leave nothing behind in their process, and share one: loading the sources anew takes longer than most of them. */
const shared = [
  "packages/{bron,client,connectors,core,engine,models,protocol,testing,world}/src/**/*.test.ts",
  "apps/{server,web}/src/**/*.test.{ts,tsx}",
  "apps/cli/src/{*,render/*,tools/*}.test.ts",
  "test/{attacks,connectors,mail,workspace}/*.test.ts",
];

/** How long `expect.poll` waits. Its default of one second is too short for a busy machine; a test that passes takes no longer by it. */
export const poll = { timeout: 15_000 };

const globalSetup = ["test/support/global-postgres.ts"];

export default defineConfig({
  test: {
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    expect: { poll },
    reporters: ["default", new SummaryReporter()],
    projects: [
      { extends: true, test: { name: "structure", include: structure } },
      {
        extends: true,
        test: { name: "shared", include: shared, exclude: longer, isolate: false, globalSetup },
      },
      {
        extends: true,
        test: {
          name: "isolated",
          include: [
            "packages/*/src/**/*.test.ts",
            "apps/*/src/**/*.test.{ts,tsx}",
            "test/**/*.test.ts",
          ],
          exclude: [...structure, ...shared, ...longer, "**/node_modules/**"],
          globalSetup,
        },
      },
    ],
  },
});

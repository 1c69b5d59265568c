import { defineConfig } from "vitest/config";
import { SummaryReporter } from "./scripts/vitest-summary-reporter.ts";

/** Long ones, which `npm run test:crash` runs. */
export const longer = [
  "test/mail/{lost-and-found,late-drafts}.test.ts",
  "test/workspace/calendar-crash.test.ts",
  "apps/cli/src/front-door/{audit,backup}.test.ts",
];

/** They read the repository and need no database, so `npm run check` runs them alone. */
const structure = ["test/architecture.test.ts", "test/requirements.test.ts"];

export default defineConfig({
  test: {
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    reporters: ["default", new SummaryReporter()],
    projects: [
      { extends: true, test: { name: "structure", include: structure } },
      {
        extends: true,
        test: {
          name: "behaviour",
          include: ["packages/*/src/**/*.test.ts", "apps/*/src/**/*.test.{ts,tsx}", "test/**/*.test.ts"],
          exclude: [...structure, ...longer, "test/crash/**/*.full.test.ts", "**/node_modules/**"],
          globalSetup: ["test/support/global-postgres.ts"],
        },
      },
    ],
  },
});

// The full crash suite runs with BRON_CRASH=full: `npm run test:crash`. `npm test` includes a
// sample of it.
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { SummaryReporter } from "../../scripts/vitest-summary-reporter.ts";
import { longer, poll } from "../../vitest.config.ts";

const tenMinutes = 600_000;

export default defineConfig({
  root: fileURLToPath(new URL("../..", import.meta.url)),
  test: {
    include: [
      "test/crash/**/*.test.ts",
      "test/mail/{approval-sequences,every-fault,mail-crash,approval-binding}.test.ts",
      "test/http/abuse.test.ts",
      "test/linear-text.test.ts",
      "packages/connectors/src/gmail/busy-loop.test.ts",
      "packages/documents/src/{broken-files,parse-limits}.test.ts",
      "packages/documents/src/{fields/check-fields,isolation/isolation,parser/html/read-html}.test.ts",
      // Property tests, with all of their samples.
      "packages/*/src/**/*.property.test.ts",
      "packages/connectors/src/{addresses,calendar/recurrence,gmail/html-to-text}.test.ts",
      "packages/simulator/src/{calendar-seed/make-calendars,google/mime/parse-mime}.test.ts",
      "packages/simulator/src/slack/seed/make-workspace.test.ts",
      "apps/cli/src/e2e/beside-server.test.ts",
      "packages/tools/src/evaluate-expression.test.ts",
      ...longer,
    ],
    pool: "forks",
    maxWorkers: 1,
    testTimeout: tenMinutes,
    hookTimeout: tenMinutes,
    expect: { poll },
    globalSetup: [
      "test/support/global-postgres.ts",
      "test/support/global-home.ts",
      "test/browser/support/global-browser.ts",
    ],
    reporters: ["default", new SummaryReporter()],
  },
});

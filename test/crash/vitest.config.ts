// The full crash suite runs with BRON_CRASH=full: `npm run test:crash`. `npm test` includes a
// sample of it.
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { SummaryReporter } from "../../scripts/vitest-summary-reporter.ts";
import { listFiles, readText } from "../architecture/source-tree.ts";
import { loadWithNode, longer, poll } from "../../vitest.config.ts";

/** Tests that take every case only here. `npm test` runs them too, with a sample. */
const takesMoreSamples = listFiles().filter(
  (path) => /\.test\.tsx?$/.test(path) && /\b(?:isFullSuite|sampleCount)\b/.test(readText(path)),
);

const tenMinutes = 600_000;

export default defineConfig({
  root: fileURLToPath(new URL("../..", import.meta.url)),
  test: {
    include: ["test/crash/**/*.test.ts", ...takesMoreSamples, ...longer],
    pool: "forks",
    experimental: loadWithNode,
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

import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { SummaryReporter } from "./scripts/vitest-summary-reporter.ts";
import { compileCache } from "./test/support/compile-cache.ts";
import { keepTemporaryFilesInMemory } from "./test/support/memory-folder.ts";

keepTemporaryFilesInMemory();

/** Long tests, which only `npm run test:crash` runs. Each has a shorter companion in `npm test`. */
export const longer = [
  "apps/cli/src/e2e/{runs,topology,traces}.test.ts",
  "packages/store/src/embedded/{accounts,sharing}.test.ts",
  "test/browser/{approvals,axe,child-runs-and-conversations,client-actions,connection,edit-approval,focus,keyboard,live-work,long-run,mcp-servers,page-adapters,page-guards,page-handler,page-hostile,page-load,page-modes,page-shop,places,sandbox,settings,steering,tab-title}.test.ts",
  "test/crash/{database,kept-output,memory-search,two-workers}.test.ts",
  "test/kill-run/kill-run.test.ts",
  "test/workspace/every-fault.test.ts",
  "test/mail/{duplicate-drafts,mail-crash,send-recovery}.test.ts",
  "test/workspace/{calendar,slack}-crash.test.ts",
  "test/http/{live-elsewhere,many-servers,sigterm}.test.ts",
  "apps/cli/src/e2e/{audit,backup}.test.ts",
];

/** Tests that read the repository and need no database, so that `npm run check` runs them alone. */
const structure = ["test/architecture.test.ts", "test/requirements.test.ts"];

/** Tests of the runtime's package that need no Postgres. */
const runtimeUnit = [
  "packages/runtime/src/{agent,services}/*.test.ts",
  "packages/runtime/src/{change-hub,forged-requests,live-text,partial-text-hub,places,run-logs,upload-cleanup}.test.ts",
];
/**
 * They need neither Postgres nor a browser, and leave nothing behind in their process. They share
 * one, because loading the sources again takes longer than most of them. `npm run test:unit` runs
 * these alone.
 */
const unit = [
  "packages/{client,connectors,core,demo-model,engine,memory-store}/src/**/*.test.ts",
  "packages/{models,page,page-widget,protocol,settings,simulator,skills,tools}/src/**/*.test.ts",
  ...runtimeUnit,
  "apps/server/src/**/*.test.ts",
  "apps/cli/src/{*,render/*}.test.ts",
];
/**
 * Unit tests that take many samples, measure times or wait for them. `npm test` runs them,
 * `npm run test:unit` does not.
 */
const slowUnit = [
  "packages/*/src/**/*.property.test.ts",
  "packages/documents/src/**/*.test.ts",
  "packages/connectors/src/{gmail/busy-loop,gmail/html-to-text,addresses}.test.ts",
  "packages/connectors/src/calendar/{recurrence,change-events}.test.ts",
  "packages/core/src/{effect/interrupted-effects,policy/digest}.test.ts",
  "packages/demo-model/src/recipes/{email,workspace}-tasks.test.ts",
  "packages/settings/src/folder-trust.test.ts",
  "packages/simulator/src/{hostile,mailbox,slack}/**/*.test.ts",
  "packages/simulator/src/google/{calendar,control,gmail,oauth,state}/**/*.test.ts",
  "apps/server/src/{client,gate,slow-readers,stream/streams}.test.ts",
];
/** Files in the folders of the unit tests that need Postgres. */
const unitWithPostgres = ["apps/server/src/{api,threads,export/run-export}.test.ts"];

/**
 * Tests that need Postgres, start other processes or take long. They share processes too, as the
 * unit tests do.
 */
const shared = [
  ...slowUnit,
  "apps/cli/src/{e2e,log,sandbox,server}/*.test.ts",
  "packages/runtime/src/**/*.test.ts",
  ...unitWithPostgres,
  "packages/store/src/**/*.test.ts",
  // That test leaves the queue half started, so that no other worker can start in its process.
  "test/!(database-lost-at-start).test.ts",
  "test/{attacks,bench,connectors,crash,http,mail,uploads,workspace}/*.test.ts",
];

const browser = ["test/browser/*.test.ts"];

/** Unit tests of the web app, which only Vite can load. */
const web = ["apps/web/src/**/*.test.{ts,tsx}"];

/** How long `expect.poll` waits. Its default of one second is too short for a busy machine. */
export const poll = { timeout: 15_000 };

const postgres = "test/support/global-postgres.ts";
const home = "test/support/global-home.ts";
const browserServer = "test/browser/support/global-browser.ts";

/**
 * Node loads our sources as they are. Vite would transform all of them for each project, and make
 * every use of an import slower.
 */
export const loadWithNode = { viteModuleRunner: false, nodeLoader: false };

/**
 * It has processes of its own: the syntax trees of all sources take so much memory that other tests
 * would collect garbage and start programs more slowly beside them.
 */
const structureProject: TestProjectInlineConfiguration = {
  extends: true,
  test: { name: "structure", include: structure },
};

/** For a part of the tests. Each project starts only what its tests need. */
const projectsByNeed: TestProjectInlineConfiguration[] = [
  {
    extends: true,
    test: {
      name: "unit",
      include: unit,
      exclude: [...unitWithPostgres, ...slowUnit, ...longer],
      isolate: false,
    },
  },
  {
    extends: true,
    test: {
      name: "shared",
      include: shared,
      exclude: [...structure, ...runtimeUnit, ...longer],
      isolate: false,
      globalSetup: [postgres, home],
    },
  },
  {
    extends: true,
    test: {
      name: "browser",
      include: browser,
      exclude: longer,
      isolate: false,
      globalSetup: [browserServer, home],
    },
  },
];

/** For all tests. They share three processes, which load and compile the sources only once. */
const allTestsProject: TestProjectInlineConfiguration = {
  extends: true,
  test: {
    name: "all",
    include: [...unit, ...shared, ...browser],
    exclude: [...structure, ...longer],
    isolate: false,
    globalSetup: [postgres, browserServer, home],
  },
};

/** Set by `npm test` without arguments. */
const runsAllTests = process.env["BRON_TESTS"] === "all";

export default defineConfig({
  test: {
    pool: "forks",
    // Test files share a process, so much of what they create dies young. This halves the number of
    // small collections, for 200 MB of memory in three processes.
    execArgv: ["--max-semi-space-size=64"],
    experimental: loadWithNode,
    // One more than the cores, because many tests wait for other processes.
    maxWorkers: 3,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    expect: { poll },
    reporters: ["default", new SummaryReporter()],
    // For programs that tests start with the environment of their own process.
    env: compileCache,
    projects: [
      structureProject,
      ...(runsAllTests ? [allTestsProject] : projectsByNeed),
      {
        extends: true,
        test: {
          name: "web",
          include: web,
          isolate: false,
          experimental: { viteModuleRunner: true },
        },
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
          exclude: [
            ...structure,
            ...unit,
            ...web,
            ...shared,
            ...browser,
            ...longer,
            "**/node_modules/**",
          ],
          globalSetup: [postgres, home],
        },
      },
    ],
  },
});

import { createRootRoute, createRoute, createRouter, redirect } from "@tanstack/react-router";
import {
  readAuditSearch,
  readBronsSearch,
  readRunSearch,
  readTasksSearch,
  readThreadSearch,
  readUsageSearch,
} from "./search.ts";
import { HomePage } from "./home/home-page.tsx";
import { createLazyPages } from "./layout/lazy-pages.ts";
import { NotFound } from "./layout/not-found.tsx";
import { Shell } from "./layout/shell.tsx";
import { Loading, Problem } from "./ui/states.tsx";

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound });

/** Every page except the first is loaded when it is opened, or when the browser is idle. */
export const pages = createLazyPages();

const routes = root.addChildren([
  createRoute({ getParentRoute: () => root, path: "/", component: HomePage }),
  createRoute({
    getParentRoute: () => root,
    path: "/tasks",
    validateSearch: readTasksSearch,
    component: pages.page(() => import("./tasks/tasks-page.tsx"), "TasksPage"),
  }),
  ...(["/threads", "/runs"] as const).map((path) =>
    createRoute({
      getParentRoute: () => root,
      path,
      beforeLoad: () => {
        throw redirect({ to: "/tasks", replace: true });
      },
    }),
  ),
  createRoute({
    getParentRoute: () => root,
    path: "/threads/$threadId",
    validateSearch: readThreadSearch,
    component: pages.page(() => import("./threads/thread-page.tsx"), "ThreadPage"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/brons",
    validateSearch: readBronsSearch,
    component: pages.page(() => import("./brons/brons-page.tsx"), "BronsPage"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/brons/$bronId",
    component: pages.page(() => import("./brons/bron-page.tsx"), "BronPage"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/skills",
    component: pages.page(() => import("./skills/skills-page.tsx"), "SkillsPage"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/skills/$skillName",
    component: pages.page(() => import("./skills/skill-page.tsx"), "SkillPage"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/runs/$runId",
    validateSearch: readRunSearch,
    component: pages.page(() => import("./run/run-page.tsx"), "RunPage"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/approvals",
    component: pages.page(() => import("./approvals/approvals-page.tsx"), "ApprovalsPage"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/connections",
    component: pages.page(() => import("./connections/connections-page.tsx"), "ConnectionsPage"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/memory",
    component: pages.page(() => import("./memory/memory-page.tsx"), "MemoryPage"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/permissions",
    component: pages.page(() => import("./permissions/permissions-page.tsx"), "PermissionsPage"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/audit",
    validateSearch: readAuditSearch,
    component: pages.page(() => import("./audit/audit-page.tsx"), "AuditPage"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/usage",
    validateSearch: readUsageSearch,
    component: pages.page(() => import("./usage/usage-page.tsx"), "UsagePage"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/schedules",
    component: pages.page(() => import("./schedules/schedules-page.tsx"), "SchedulesPage"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/settings",
    component: pages.page(() => import("./settings/settings-page.tsx"), "SettingsPage"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/demo",
    component: pages.page(() => import("./demo/demo-page.tsx"), "DemoPage"),
  }),
]);

export const router = createRouter({
  routeTree: routes,
  defaultPreload: "intent",
  scrollRestoration: true,
  defaultPendingComponent: Loading,
  defaultErrorComponent: ({ error, reset }) => (
    <div className="mx-auto w-full max-w-3xl px-4 py-6">
      <Problem error={error} onRetry={() => void pages.preloadAll().then(reset)} />
    </div>
  ),
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}

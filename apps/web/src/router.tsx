import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
} from "@tanstack/react-router";
import { readAuditSearch, readBronsSearch, readRunSearch, readThreadSearch } from "./search.ts";
import { HomePage } from "./home/home-page.tsx";
import { NotFound } from "./layout/not-found.tsx";
import { Shell } from "./layout/shell.tsx";
import { Loading, Problem } from "./ui/states.tsx";

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound });

/** Every page except the first is loaded when it is first opened. */
const routes = root.addChildren([
  createRoute({ getParentRoute: () => root, path: "/", component: HomePage }),
  createRoute({
    getParentRoute: () => root,
    path: "/threads",
    component: lazyRouteComponent(() => import("./threads/threads-page.tsx"), "ThreadsPage"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/threads/$threadId",
    validateSearch: readThreadSearch,
    component: lazyRouteComponent(() => import("./threads/thread-page.tsx"), "ThreadPage"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/brons",
    validateSearch: readBronsSearch,
    component: lazyRouteComponent(() => import("./brons/brons-page.tsx"), "BronsPage"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/brons/$bronId",
    component: lazyRouteComponent(() => import("./brons/bron-page.tsx"), "BronPage"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/runs/$runId",
    validateSearch: readRunSearch,
    component: lazyRouteComponent(() => import("./run/run-page.tsx"), "RunPage"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/approvals",
    component: lazyRouteComponent(() => import("./approvals/approvals-page.tsx"), "ApprovalsPage"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/connections",
    component: lazyRouteComponent(
      () => import("./connections/connections-page.tsx"),
      "ConnectionsPage",
    ),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/permissions",
    component: lazyRouteComponent(
      () => import("./permissions/permissions-page.tsx"),
      "PermissionsPage",
    ),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/audit",
    validateSearch: readAuditSearch,
    component: lazyRouteComponent(() => import("./audit/audit-page.tsx"), "AuditPage"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/usage",
    component: lazyRouteComponent(() => import("./usage/usage-page.tsx"), "UsagePage"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/settings",
    component: lazyRouteComponent(() => import("./settings/settings-page.tsx"), "SettingsPage"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/demo",
    component: lazyRouteComponent(() => import("./demo/demo-page.tsx"), "DemoPage"),
  }),
]);

export const router = createRouter({
  routeTree: routes,
  defaultPreload: "intent",
  scrollRestoration: true,
  defaultPendingComponent: Loading,
  defaultErrorComponent: ({ error, reset }) => <Problem error={error} onRetry={reset} />,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}

import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { ActivityKind, BronStatus, RunView, Timing } from "@bron/protocol";
import { api } from "../api.ts";
import type { TaskFilter } from "../search.ts";
import { newestRun, runKey } from "./newest-run.ts";
import { readLog } from "./read-log.ts";
import { untilNextSnooze, withoutPastSnooze } from "./snoozed.ts";

interface PreviewOf {
  readonly digest: string;
  readonly name: string;
  readonly mediaType: string;
}

/** All queries of the pages. Their keys say what to refetch after a change. */
export const queries = {
  about: () =>
    queryOptions({
      queryKey: ["about"],
      queryFn: () => api.call("GET /api/about"),
      staleTime: Number.POSITIVE_INFINITY,
    }),
  me: () =>
    queryOptions({
      queryKey: ["me"],
      queryFn: () => api.call("GET /api/me"),
      staleTime: Number.POSITIVE_INFINITY,
    }),
  tools: () =>
    queryOptions({
      queryKey: ["tools"],
      queryFn: async () => (await api.call("GET /api/tools")).tools,
      staleTime: Number.POSITIVE_INFINITY,
    }),
  models: () =>
    queryOptions({
      queryKey: ["models"],
      queryFn: async () => (await api.call("GET /api/models")).models,
    }),
  runs: (filter: { readonly bronId?: string; readonly limit: number }) =>
    queryOptions({
      queryKey: ["runs", filter],
      queryFn: async ({ client }) =>
        (await api.list("GET /api/runs", filter)).map((run) => newestRun(client, run)),
    }),
  run: (id: string) =>
    queryOptions({
      queryKey: runKey(id),
      queryFn: async ({ client }) =>
        newestRun(client, await api.call("GET /api/runs/:id", { params: { id } })),
    }),
  /** The child runs of a run, oldest first. One request tells the state of all of them. */
  children: (runId: string) =>
    queryOptions({
      queryKey: ["children", runId],
      queryFn: async ({ client }): Promise<RunView[]> =>
        (await api.list("GET /api/runs", { parentRunId: runId }))
          .toReversed()
          .map((run) => newestRun(client, run)),
    }),
  /** Pinned ones first, then newest activity first. */
  threads: ({ words = "", show }: { readonly words?: string; readonly show?: TaskFilter } = {}) =>
    infiniteQueryOptions({
      queryKey: ["threads", "list", words, show],
      queryFn: ({ pageParam, signal }) =>
        api.call("GET /api/threads", {
          query: {
            limit: 20,
            before: pageParam,
            query: words === "" ? undefined : words,
            ...(show === "archived" ? { archived: "only" } : { state: show }),
          },
          signal,
        }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: ({ next }) => next ?? undefined,
    }),
  memory: (filter: {
    readonly state: "suggested" | "confirmed";
    readonly words?: string;
    readonly bronId?: string;
  }) =>
    infiniteQueryOptions({
      queryKey: ["memory", filter],
      queryFn: ({ pageParam, signal }) =>
        api.call("GET /api/memory", {
          query: {
            state: filter.state,
            limit: 30,
            before: pageParam,
            query: filter.words || undefined,
            bronId: filter.bronId || undefined,
          },
          signal,
        }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: ({ next }) => next ?? undefined,
    }),
  /** A conversation. The first page has its newest tasks. In a page, the oldest is first. */
  thread: (id: string) =>
    infiniteQueryOptions({
      queryKey: ["threads", "tasks", id],
      queryFn: async ({ pageParam, client }) => {
        const page = await api.call("GET /api/threads/:id", {
          params: { id },
          query: { limit: 20, before: pageParam },
        });
        return { ...page, runs: page.runs.map((run) => newestRun(client, run)) };
      },
      initialPageParam: undefined as string | undefined,
      getNextPageParam: ({ next }) => next ?? undefined,
    }),
  /** The log of a finished task. It never changes. */
  log: (runId: string, lastSeq: number) =>
    queryOptions({
      queryKey: ["log", runId, lastSeq],
      queryFn: () => readLog(api, runId),
      staleTime: Number.POSITIVE_INFINITY,
    }),
  /** Refetched by time, because nothing tells when a worker stops. */
  places: () =>
    queryOptions({
      queryKey: ["places"],
      queryFn: async () => (await api.call("GET /api/places")).places,
      refetchInterval: 5_000,
    }),
  brons: (status?: BronStatus) =>
    queryOptions({
      queryKey: ["brons", status ?? "all"],
      queryFn: async () => (await api.call("GET /api/brons", { query: { status } })).brons,
    }),
  /** The key starts with "brons", so that these are refetched with them. */
  archivedBrons: () =>
    queryOptions({
      queryKey: ["brons", "archived"],
      queryFn: async () =>
        (await api.call("GET /api/brons", { query: { archived: "only" } })).brons,
    }),
  bronTemplates: () =>
    queryOptions({
      queryKey: ["bron-templates"],
      queryFn: async () => (await api.call("GET /api/bron-templates")).templates,
      staleTime: Number.POSITIVE_INFINITY,
    }),
  bron: (id: string) =>
    queryOptions({
      queryKey: ["bron", id],
      queryFn: () => api.call("GET /api/brons/:id", { params: { id } }),
    }),
  /** The key starts with the Bron's, so that these are refetched with it. */
  bronRuns: (id: string) =>
    infiniteQueryOptions({
      queryKey: ["bron", id, "runs"],
      queryFn: ({ pageParam }) =>
        api.call("GET /api/brons/:id/runs", {
          params: { id },
          query: { limit: 20, before: pageParam },
        }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: ({ next }) => next ?? undefined,
    }),
  pendingApprovals: () =>
    queryOptions({
      queryKey: ["approvals", "pending"],
      queryFn: async () =>
        (await api.list("GET /api/approvals", { pending: "true" })).map(withoutPastSnooze),
      // One that is snoozed comes back by itself.
      refetchInterval: ({ state: { data } }) => untilNextSnooze(data ?? []),
    }),
  /** What helps to decide. It is read from the account, so it is not refetched with approvals. */
  approvalBackground: (id: string, digest: string) =>
    queryOptions({
      queryKey: ["approval-background", id, digest],
      queryFn: async () =>
        (await api.call("GET /api/approvals/:id/background", { params: { id } })).background,
      staleTime: 60_000,
      retry: false,
    }),
  /** The key starts with "approvals", so that these are refetched with them. */
  pendingQuestions: () =>
    queryOptions({
      queryKey: ["approvals", "questions"],
      queryFn: () => api.list("GET /api/questions", { pending: "true" }),
    }),
  approval: (id: string) =>
    queryOptions({
      queryKey: ["approvals", id],
      queryFn: () => api.call("GET /api/approvals/:id", { params: { id } }),
    }),
  /** The keys start with "approvals", so that these are refetched with them. */
  approvalsOf: (runId: string) =>
    queryOptions({
      queryKey: ["approvals", "run", runId],
      queryFn: () => api.list("GET /api/approvals", { runId }),
    }),
  actions: (runId: string) =>
    queryOptions({
      queryKey: ["approvals", "actions", runId],
      queryFn: async () =>
        (await api.call("GET /api/runs/:id/actions", { params: { id: runId } })).actions,
    }),
  effect: (id: string) =>
    queryOptions({
      queryKey: ["approvals", "effect", id],
      queryFn: () => api.call("GET /api/effects/:id", { params: { id } }),
    }),
  /** The owner may have edited, sent or deleted a draft meanwhile, so it is read again. */
  drafts: (runId: string) =>
    queryOptions({
      queryKey: ["drafts", runId],
      queryFn: async () =>
        (await api.call("GET /api/runs/:id/drafts", { params: { id: runId } })).drafts,
      refetchOnWindowFocus: "always",
      staleTime: 5_000,
    }),
  artifacts: (runId: string) =>
    queryOptions({
      queryKey: ["artifacts", runId],
      queryFn: async () =>
        (await api.call("GET /api/runs/:id/artifacts", { params: { id: runId } })).artifacts,
    }),
  /** The bytes that a digest names never change. */
  preview: ({ digest, name, mediaType }: PreviewOf) =>
    queryOptions({
      queryKey: ["preview", digest, name, mediaType],
      queryFn: () =>
        api.call("GET /api/artifacts/:digest/preview", {
          params: { digest },
          query: { name, mediaType },
        }),
      staleTime: Number.POSITIVE_INFINITY,
    }),
  bytes: (digest: string) =>
    queryOptions({
      queryKey: ["bytes", digest],
      queryFn: () => api.readArtifact(digest),
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: 60_000,
    }),
  connections: () =>
    queryOptions({
      queryKey: ["connections"],
      queryFn: async () => (await api.call("GET /api/connections")).connections,
    }),
  permissions: () =>
    queryOptions({ queryKey: ["permissions"], queryFn: () => api.call("GET /api/permissions") }),
  /** One row for each action, newest activity first. */
  activity: (filter: {
    readonly kind?: ActivityKind | undefined;
    readonly runId?: string | undefined;
    readonly search?: string | undefined;
  }) =>
    infiniteQueryOptions({
      queryKey: ["activity", filter],
      staleTime: 0,
      queryFn: ({ pageParam }) =>
        api.call("GET /api/activity", { query: { ...filter, limit: 50, before: pageParam } }),
      initialPageParam: undefined as number | undefined,
      getNextPageParam: ({ next }) => next ?? undefined,
    }),
  usage: (days: number) =>
    queryOptions({
      queryKey: ["usage", days],
      staleTime: 0,
      queryFn: () =>
        api.call("GET /api/usage", {
          query: { days, zone: Intl.DateTimeFormat().resolvedOptions().timeZone },
        }),
    }),
  budget: () =>
    queryOptions({
      queryKey: ["budget"],
      staleTime: 0,
      queryFn: () => api.call("GET /api/budget"),
    }),
  /** Refetched by time, because the clock starts their tasks. */
  schedules: () =>
    queryOptions({
      queryKey: ["schedules"],
      queryFn: async () => (await api.call("GET /api/schedules")).schedules,
      refetchInterval: 15_000,
    }),
  /** The next times of a timing, as JSON. */
  schedulePreview: (timing: string) =>
    queryOptions({
      queryKey: ["schedule-preview", timing],
      queryFn: () =>
        api.call("POST /api/schedules/preview", { body: JSON.parse(timing) as Timing }),
    }),
  /** The simulator changes on its own, so this query polls. */
  demo: (account: string | undefined) =>
    queryOptions({
      queryKey: ["demo", account ?? "owner"],
      queryFn: () => api.call("GET /api/demo", { query: { account } }),
      refetchInterval: 2_000,
    }),
  sessions: () =>
    queryOptions({
      queryKey: ["sessions"],
      queryFn: async () => (await api.call("GET /api/sessions")).sessions,
    }),
  tokens: () =>
    queryOptions({
      queryKey: ["tokens"],
      queryFn: async () => (await api.call("GET /api/tokens")).tokens,
    }),
  /** The OAuth apps of the server. Others than its owner get not_found. */
  oauthClients: () =>
    queryOptions({
      queryKey: ["oauth-clients"],
      queryFn: async () => (await api.call("GET /api/oauth-clients")).oauthClients,
      retry: false,
    }),
  /** The server looks for them each time, so that a server that was just started is found. */
  localModels: () =>
    queryOptions({
      queryKey: ["local-models"],
      staleTime: 0,
      queryFn: async () => (await api.call("GET /api/local-models")).servers,
    }),
  mcpServers: () =>
    queryOptions({
      queryKey: ["mcp-servers"],
      queryFn: async () => (await api.call("GET /api/mcp-servers")).servers,
    }),
  modelKeys: () =>
    queryOptions({
      queryKey: ["model-keys"],
      queryFn: async () => (await api.call("GET /api/model-keys")).modelKeys,
    }),
};

import { noLabels, type EffectContext } from "@bron/core";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { calendarService } from "../google/calendar-service.ts";
import type { CalendarDeps } from "./calendar-deps.ts";

interface CalendarRequest {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly ifMatch: string | undefined;
  readonly body: unknown;
}

interface CalendarResponse {
  readonly status?: number;
  readonly body: unknown;
}

export interface CalendarHarness {
  readonly deps: CalendarDeps;
  /** Requests to the calendar, and checks of approvals, in order. */
  readonly asked: (CalendarRequest | "approval")[];
  /** The context of an effect. `refuse` makes its approval check fail. */
  context(refuse?: Error): EffectContext;
  /** Replaces the connected account. */
  reconnect(account: string): void;
  close(): Promise<void>;
}

export const owner = "mara@lindqvist.example";

/** The calendar tools on a server that responds as the test says. Sleeps take no time. */
export async function openCalendarHarness(
  respond: (request: CalendarRequest) => CalendarResponse,
  now = "2031-05-05T10:00:00Z",
): Promise<CalendarHarness> {
  const asked: CalendarHarness["asked"] = [];
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const sent = await text(request);
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
    const calendarRequest: CalendarRequest = {
      method: request.method ?? "",
      path: pathname.replace("/calendar/v3/calendars/primary/", ""),
      query: Object.fromEntries(searchParams),
      ifMatch: request.headers["if-match"],
      body: sent === "" ? undefined : JSON.parse(sent),
    };
    asked.push(calendarRequest);
    const { status = 200, body } = respond(calendarRequest);
    response
      .writeHead(status, { "content-type": "application/json", connection: "close" })
      .end(JSON.stringify(body));
  };
  const server = createServer((request, response) => void handle(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const rootUrl = `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}/`;
  const service = calendarService({
    clientId: "c",
    clientSecret: "s",
    endpoints: { authorize: rootUrl, token: rootUrl, revoke: rootUrl, rootUrl },
  });
  let account = owner;
  return {
    asked,
    deps: {
      service,
      accounts: {
        access: () => Promise.resolve({ account, accessToken: "token", scopes: service.scopes }),
      },
      clock: {
        now: () => Date.parse(now),
        monotonic: () => 0,
        random: () => 0.5,
        sleep: () => Promise.resolve(),
      },
      times: { draftMs: 1, sendMs: 1, eventMs: 1, searchDelaysMs: [0, 0] },
      knownPeople: () => Promise.resolve([]),
      peopleNamed: () => Promise.resolve([]),
    },
    context: (refuse) => ({
      runId: "run",
      ownerId: "owner",
      actionId: "action",
      bronId: "bron",
      place: null,
      labels: () => Promise.resolve(noLabels),
      effectId: "effect",
      attempt: 1,
      maxAttachmentBytes: 1,
      signal: new AbortController().signal,
      log: () => undefined,
      showCard: () => undefined,
      saveArtifact: () => Promise.resolve({ artifactId: "", digest: "" }),
      readArtifact: () => Promise.resolve(undefined),
      readOutput: () => Promise.resolve(undefined),
      readSkill: () => Promise.resolve(undefined),
      writersOf: () => Promise.resolve([]),
      reportProgress: () => undefined,
      requireApproval() {
        asked.push("approval");
        return refuse ? Promise.reject(refuse) : Promise.resolve();
      },
      evidence: undefined,
      ask: () => Promise.resolve(undefined),
      keepEvidence: () => Promise.resolve(),
      keepPrevious: () => Promise.resolve(),
    }),
    reconnect(other) {
      account = other;
    },
    async close() {
      server.close();
      await once(server, "close");
    },
  };
}

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { makeCalendars } from "../calendar-seed/make-calendars.ts";
import { prepareHostile } from "../hostile/seed-hostile.ts";
import { companyAccounts } from "../mailbox/company.ts";
import { makeMail } from "../mailbox/make-mail.ts";
import { makeWorkspace } from "../slack/seed/make-workspace.ts";
import type { SlackAuthorizeRequest } from "../slack/oauth/slack-authorize.ts";
import { createSlackControl, type SlackControl } from "../slack/slack-control.ts";
import { slackBotToken, slackClientId, slackClientSecret } from "../slack/slack-secrets.ts";
import { createSlackService } from "../slack/slack-service.ts";
import { seededPages } from "../web/web-pages.ts";
import { createWeb, webPath, type Web } from "../web/web-service.ts";
import { viewSandbox } from "../view/sandbox-view.ts";
import { ApiError } from "./api-error.ts";
import { serveControl } from "./control/control-endpoint.ts";
import { createFaults, type Faults } from "./control/faults.ts";
import { createControl, type SimulatorControl } from "./control/simulator-control.ts";
import { exchange, send } from "./exchange.ts";
import { createGoogleService } from "./google-service.ts";
import { homePage } from "./home-page.ts";
import type { Account } from "./oauth/authorize-page.ts";
import { isLoopbackHost, type AuthorizeRequest } from "./oauth/authorize-request.ts";
import { createAuthorizations } from "./oauth/authorizations.ts";
import { html, json } from "./responses.ts";
import { fileJournal, memoryJournal } from "./state/journal.ts";
import type { SimulatorRecord } from "./state/record.ts";
import { createSimulatorState } from "./state/simulator-state.ts";

export interface SimulatorOptions {
  /**
   * The folder for persistent state, under `google/`. Without it all state is lost on close. Only
   * one simulator may use a folder.
   */
  readonly folder?: string;
  /** The seed of the data. A folder keeps its first seed. */
  readonly seed?: number;
  readonly now?: () => Date;
  /** Defaults to 0, which picks a free port. */
  readonly port?: number;
  /** Enables /_control/ for callers that send this key. */
  readonly controlKey?: string;
  /** Adds a public Slack channel #volume with this many messages. */
  readonly slackVolume?: number;
  /**
   * Adds hostile items to the seed: all, or those with these ids. Only for attack tests, never for
   * the demo.
   */
  readonly seedHostile?: boolean | readonly string[];
}

interface SlackEndpoints {
  readonly authorizeUrl: string;
  /** The base URL for the API client. Ends with a slash. */
  readonly apiUrl: string;
}

interface GoogleEndpoints {
  readonly authUrl: string;
  readonly tokenUrl: string;
  readonly revokeUrl: string;
  readonly tokenInfoUrl: string;
  readonly userInfoUrl: string;
  /** The base URL for the API clients. Ends with a slash. */
  readonly rootUrl: string;
}

export interface Simulator {
  readonly url: string;
  readonly googleEndpoints: GoogleEndpoints;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly slackEndpoints: SlackEndpoints;
  readonly slackClientId: string;
  readonly slackClientSecret: string;
  /** A bot token that needs no sign-in and has all scopes. */
  readonly slackBotToken: string;
  /** Serves every URL of the simulated web: `?url=https://…`. */
  readonly webGateway: string;
  readonly publish: Web["publish"];
  /** The owner comes first. */
  readonly accounts: readonly Account[];
  readonly record: () => SimulatorRecord;
  readonly faults: Faults;
  readonly control: SimulatorControl;
  readonly slackControl: SlackControl;
  /**
   * Resets mail, calendar and Slack to the seed, dated by the current time. Removes sign-ins and
   * the record.
   */
  readonly reset: () => void;
  /** Also ends responses in progress. */
  readonly close: () => Promise<void>;
}

const clientId = "424242424242-bron.apps.googleusercontent.example";
/** Above Gmail's limit, including the overhead of base64. */
const maxBodyBytes = 50 * 1024 * 1024;

/** Rejects when the port is not available. Listens on 127.0.0.1 only. */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const now = options.now ?? (() => new Date());
  const journal =
    options.folder === undefined ? memoryJournal() : fileJournal(join(options.folder, "google"));
  const accounts = companyAccounts;
  const hostile =
    options.seedHostile === undefined || options.seedHostile === false
      ? undefined
      : await prepareHostile(options.seedHostile);
  const makeAllMail = (seed: number, anchor: Date) => [
    ...makeMail(seed, anchor),
    ...(hostile?.mail(anchor) ?? []),
  ];
  const seedWorkspace = (seed: number, anchor: Date) => {
    const workspace = makeWorkspace(
      seed,
      anchor,
      options.slackVolume === undefined ? {} : { volume: options.slackVolume },
    );
    return hostile ? hostile.withPosts(workspace, anchor) : workspace;
  };
  const state = createSimulatorState({
    journal,
    now,
    seed: options.seed ?? 1,
    accounts: accounts.map(({ address }) => address),
    makeMail: makeAllMail,
    makeCalendars,
    makeWorkspace: seedWorkspace,
  });
  const authorizations = createAuthorizations<AuthorizeRequest>(now, "4/0A");
  const slackAuthorizations = createAuthorizations<SlackAuthorizeRequest>(now, "424242424242.");
  const faults = createFaults();
  const control = createControl({ state, accounts, now });
  const google = createGoogleService({
    state,
    authorizations,
    accounts,
    appName: "Bron",
    clientId,
  });
  const slack = createSlackService({
    state,
    authorizations: slackAuthorizations,
    appName: "Bron",
    installer: accounts[0]?.address ?? "",
  });
  const slackControl = createSlackControl(state, now);
  const web = createWeb({
    ...seededPages,
    ...Object.fromEntries((hostile?.pages ?? []).map(({ url, page }) => [url, page])),
  });
  const closing = new AbortController();
  const record = () => state.recorder().record();
  const view = (account?: string) =>
    viewSandbox({ state, record, faults, accounts, now: now() }, account);
  const reset = () => {
    faults.clear();
    authorizations.clear();
    slackAuthorizations.clear();
    web.reset();
    state.reset();
  };

  const serviceFor = (path: string) =>
    path === webPath ? web.service : path.startsWith("/slack/") ? slack : google;

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!isOurHost(request.headers.host))
      return send(response, json(403, { error: "This world answers on loopback only." }));
    const url = URL.parse(request.url ?? "/", "http://127.0.0.1");
    const body = await readBody(request);
    if (!url || !body)
      return send(
        response,
        json(url ? 413 : 400, { error: url ? "Too large." : "Malformed address." }),
      );
    if (url.pathname.startsWith("/_control/")) {
      const name = url.pathname.slice("/_control/".length);
      return send(
        response,
        await respondToControl({
          verb: request.method ?? "GET",
          name,
          key: controlKeyOf(request),
          account: url.searchParams.get("account") ?? undefined,
          body,
        }),
      );
    }
    if (url.pathname === "/" && request.method === "GET") {
      return send(
        response,
        html(
          200,
          homePage(
            accounts.map((account) => ({
              ...account,
              messages: state.mailbox(account.address)?.messages().length ?? 0,
            })),
          ),
        ),
      );
    }
    await exchange(
      { state, service: serviceFor(url.pathname), faults, now, signal: closing.signal },
      { request, response, url, body },
    );
  }

  async function respondToControl(request: Parameters<typeof serveControl>[1]) {
    try {
      return json(
        200,
        await serveControl(
          { control, slackControl, faults, record, reset, view, accounts, publish: web.publish },
          request,
          options.controlKey,
        ),
      );
    } catch (error) {
      if (error instanceof ApiError) return json(error.status, error.body);
      return json(500, { error: error instanceof Error ? error.message : String(error) });
    }
  }

  const server = createServer((request, response) => {
    handle(request, response).catch(() => request.socket.destroy());
  });
  await listen(server, options.port ?? 0);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    googleEndpoints: endpointsAt(url),
    clientId,
    clientSecret: state.clientSecret(),
    slackEndpoints: {
      authorizeUrl: `${url}/slack/oauth/v2/authorize`,
      apiUrl: `${url}/slack/api/`,
    },
    slackClientId,
    slackClientSecret: slackClientSecret(state.clientSecret()),
    slackBotToken: slackBotToken(state.clientSecret()),
    webGateway: `${url}${webPath}`,
    publish: web.publish,
    accounts,
    record,
    faults,
    control,
    slackControl,
    reset,
    close: () =>
      new Promise((resolve) => {
        closing.abort();
        faults.clear();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function endpointsAt(url: string): GoogleEndpoints {
  return {
    authUrl: `${url}/o/oauth2/v2/auth`,
    tokenUrl: `${url}/token`,
    revokeUrl: `${url}/revoke`,
    tokenInfoUrl: `${url}/tokeninfo`,
    userInfoUrl: `${url}/v1/userinfo`,
    rootUrl: `${url}/`,
  };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => {
      server.off("error", reject);
      resolve();
    });
  });
}

/** Another site could point its host name at 127.0.0.1. The Host header reveals that. */
function isOurHost(host: string | undefined): boolean {
  return host !== undefined && isLoopbackHost(URL.parse(`http://${host}`)?.hostname ?? "");
}

function controlKeyOf({ headers }: IncomingMessage): string | undefined {
  const key = headers["x-control-key"];
  return typeof key === "string" ? key : undefined;
}

/** Returns undefined when the body is too large. */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += (chunk as Buffer).length;
    if (bytes <= maxBodyBytes) chunks.push(chunk as Buffer);
  }
  return bytes > maxBodyBytes ? undefined : Buffer.concat(chunks);
}

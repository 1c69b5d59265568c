import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { makeCalendars } from "../calendar-seed/make-calendars.ts";
import { prepareHostile, type HostileSeed } from "../hostile/seed-hostile.ts";
import { companyAccounts } from "../mailbox/company.ts";
import { makeMail } from "../mailbox/make-mail.ts";
import { makeWorkspace } from "../slack/seed/make-workspace.ts";
import type { SlackAuthorizeRequest } from "../slack/oauth/slack-authorize.ts";
import { createSlackControl, type SlackControl } from "../slack/slack-control.ts";
import { slackBotToken, slackClientId, slackClientSecret } from "../slack/slack-secrets.ts";
import { createSlackService } from "../slack/slack-service.ts";
import { seededPages } from "../web/web-pages.ts";
import { createWeb, webPath, type Web } from "../web/web-service.ts";
import { directoryPath, directoryService } from "../directory/directory-service.ts";
import { viewSandbox } from "../view/sandbox-view.ts";
import { respondToControl } from "./control/control-endpoint.ts";
import { createFaults, type Faults } from "./control/faults.ts";
import { createControl, type SimulatorControl } from "./control/simulator-control.ts";
import { exchange } from "./exchange.ts";
import { createGoogleService } from "./google-service.ts";
import { homePage } from "./home-page.ts";
import type { Account } from "./oauth/authorize-page.ts";
import type { AuthorizeRequest } from "./oauth/authorize-request.ts";
import { createAuthorizations } from "./oauth/authorizations.ts";
import { createRequestHandler } from "./request-handler.ts";
import { html } from "./responses.ts";
import { fileJournal, memoryJournal } from "./state/journal.ts";
import type { SimulatorRecord } from "./state/record.ts";
import { createSimulatorState, type SimulatorState } from "./state/simulator-state.ts";

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
const accounts: readonly Account[] = companyAccounts;

/** Rejects when the port is not available. Listens on 127.0.0.1 only. */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const now = options.now ?? (() => new Date());
  const hostile =
    options.seedHostile === undefined || options.seedHostile === false
      ? undefined
      : await prepareHostile(options.seedHostile);
  const state = openState(options, now, hostile);
  const { google, slack, web, reset: resetServices } = createServices(state, now, hostile);
  const faults = createFaults();
  const control = createControl({ state, accounts, now });
  const slackControl = createSlackControl(state, now);
  const record = () => state.recorder().record();
  const view = (account?: string) =>
    viewSandbox({ state, record, faults, accounts, now: now() }, account);
  const reset = () => {
    faults.clear();
    resetServices();
    state.reset();
  };
  const closing = new AbortController();
  const serviceFor = (path: string) =>
    path === directoryPath
      ? directoryService
      : path === webPath
        ? web.service
        : path.startsWith("/slack/")
          ? slack
          : google;
  const handle = createRequestHandler({
    serveHome: () => html(200, homePage(accountsWithMail(state))),
    serveControl: (request) =>
      respondToControl(
        { control, slackControl, faults, record, reset, view, accounts, publish: web.publish },
        request,
        options.controlKey,
      ),
    exchange: (call) =>
      exchange(
        { state, service: serviceFor(call.url.pathname), faults, now, signal: closing.signal },
        call,
      ),
  });
  const server = createServer((request, response) => {
    handle(request, response).catch(() => request.socket.destroy());
  });
  await listen(server, options.port ?? 0);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    ...connectionFacts(url, state.clientSecret()),
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

/** The journal of the folder, over the seed of the company and its hostile items. */
function openState(
  options: SimulatorOptions,
  now: () => Date,
  hostile: HostileSeed | undefined,
): SimulatorState {
  const volume = options.slackVolume === undefined ? {} : { volume: options.slackVolume };
  return createSimulatorState({
    journal:
      options.folder === undefined ? memoryJournal() : fileJournal(join(options.folder, "google")),
    now,
    seed: options.seed ?? 1,
    accounts: accounts.map(({ address }) => address),
    makeMail: (seed, anchor) => [...makeMail(seed, anchor), ...(hostile?.mail(anchor) ?? [])],
    makeCalendars,
    makeWorkspace: (seed, anchor) => {
      const workspace = makeWorkspace(seed, anchor, volume);
      return hostile ? hostile.withPosts(workspace, anchor) : workspace;
    },
  });
}

/** `reset` forgets sign-ins in progress and published pages. */
function createServices(state: SimulatorState, now: () => Date, hostile: HostileSeed | undefined) {
  const authorizations = createAuthorizations<AuthorizeRequest>(now, "4/0A");
  const slackAuthorizations = createAuthorizations<SlackAuthorizeRequest>(now, "424242424242.");
  const web = createWeb({
    ...seededPages,
    ...Object.fromEntries((hostile?.pages ?? []).map(({ url, page }) => [url, page])),
  });
  return {
    google: createGoogleService({ state, authorizations, accounts, appName: "Bron", clientId }),
    slack: createSlackService({
      state,
      authorizations: slackAuthorizations,
      appName: "Bron",
      installer: accounts[0]?.address ?? "",
    }),
    web,
    reset: () => {
      authorizations.clear();
      slackAuthorizations.clear();
      web.reset();
    },
  };
}

const accountsWithMail = (state: SimulatorState) =>
  accounts.map((account) => ({
    ...account,
    messages: state.mailbox(account.address)?.messages().length ?? 0,
  }));

/** Where an app connects, and as which client. */
function connectionFacts(url: string, clientSecret: string) {
  return {
    googleEndpoints: endpointsAt(url),
    clientId,
    clientSecret,
    slackEndpoints: {
      authorizeUrl: `${url}/slack/oauth/v2/authorize`,
      apiUrl: `${url}/slack/api/`,
    },
    slackClientId,
    slackClientSecret: slackClientSecret(clientSecret),
    slackBotToken: slackBotToken(clientSecret),
    webGateway: `${url}${webPath}`,
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

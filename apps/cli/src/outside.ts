import {
  googleConnector,
  pageWatcher,
  slackConnector,
  webFetchTool,
  type SlackConfig,
} from "@bron/connectors";
import type { Connector, ConnectorDeps, PollWatch, Tool } from "@bron/core";
import { readForModel } from "@bron/documents";
import type { Config } from "./config.ts";
import { openSharedSimulator, type SharedSimulator } from "./sandbox/shared-simulator.ts";

/** The accounts and services that this Bron can reach. */
interface Outside {
  readonly connectors: readonly ((deps: ConnectorDeps) => Connector)[];
  readonly tools: readonly Tool[];
  /** Polls web pages. Undefined where there are none. */
  readonly pageWatcher: PollWatch | undefined;
  /** Undefined unless accounts are simulated. */
  readonly simulator: SharedSimulator | undefined;
}

export interface Mode {
  /** The model is the demo model. */
  readonly isDemo: boolean;
}

/** A model with a key gets no simulated accounts, unless the owner asks for them. */
export function usesSandbox(
  { google, sandbox }: Pick<Config, "google" | "sandbox">,
  { isDemo }: Mode,
): boolean {
  return google === undefined && (sandbox ?? isDemo);
}

/**
 * Opens real services where an account or a key is configured. With a sandbox, the others are
 * simulated, and in demo mode the web is too.
 */
export async function openOutside(config: Config, { isDemo }: Mode): Promise<Outside> {
  const simulator = usesSandbox(config, { isDemo })
    ? await openSharedSimulator(config.home)
    : undefined;
  const slack: SlackConfig | undefined = simulator && {
    app: simulator.slack.app,
    endpoints: simulator.slack.endpoints,
  };
  const web = isDemo && simulator ? { gateway: simulator.webGateway } : {};
  return {
    // Both are there without a setting too, because the owner may enter an app on the page.
    connectors: [
      googleConnector({ config: config.google, fallback: simulator?.google }),
      slackConnector({ config: config.slack, fallback: slack }),
    ],
    // The demo reads only simulated pages, and without the simulator there are none.
    tools: isDemo && !simulator ? [] : [webFetchTool({ read: readForModel, ...web })],
    pageWatcher: isDemo && !simulator ? undefined : pageWatcher(web),
    simulator,
  };
}

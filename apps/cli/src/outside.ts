import {
  googleConnector,
  slackConnector,
  webFetchTool,
  type GoogleConfig,
  type SlackConfig,
} from "@bron/connectors";
import type { Connector, ConnectorDeps, Tool } from "@bron/core";
import { readForModel } from "@bron/documents";
import type { Config } from "./config.ts";
import { openSharedSimulator, type SharedSimulator } from "./sandbox/shared-simulator.ts";

/** The accounts and services that this Bron can reach. */
export interface Outside {
  readonly connectors: readonly ((deps: ConnectorDeps) => Connector)[];
  readonly tools: readonly Tool[];
  /** Undefined when a Google OAuth client is configured. */
  readonly simulator: SharedSimulator | undefined;
}

/**
 * Opens real services where an account or a key is configured, and simulated ones otherwise. With
 * `isDemo`, the web is simulated too.
 */
export async function openOutside(
  config: Config,
  { isDemo }: { readonly isDemo: boolean },
): Promise<Outside> {
  const simulator = config.google ? undefined : await openSharedSimulator(config.home);
  const google: GoogleConfig | undefined = config.google ?? simulator?.google;
  const slack: SlackConfig | undefined =
    config.slack ??
    (simulator && { app: simulator.slack.app, endpoints: simulator.slack.endpoints });
  const web = isDemo && simulator ? { gateway: simulator.webGateway } : {};
  return {
    connectors: [
      ...(google ? [googleConnector({ config: google })] : []),
      ...(slack ? [slackConnector({ config: slack })] : []),
    ],
    // The demo reads only simulated pages, and without the simulator there are none.
    tools: isDemo && !simulator ? [] : [webFetchTool({ read: readForModel, ...web })],
    simulator,
  };
}

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

/** What this home's Bron can reach beyond itself. */
export interface Outside {
  readonly connectors: readonly ((deps: ConnectorDeps) => Connector)[];
  readonly tools: readonly Tool[];
  /** The simulated one, unless an app at Google is configured. */
  readonly simulator: SharedSimulator | undefined;
}

/** Real where an account or a key is configured, simulated otherwise. `isDemo` is a Bron that reaches nothing but this machine. */
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
    // Without a world there is nobody in the demo who could answer for the web.
    tools: isDemo && !simulator ? [] : [webFetchTool({ read: readForModel, ...web })],
    simulator,
  };
}

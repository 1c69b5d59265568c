import {
  googleConnector,
  slackConnector,
  webFetchTool,
  type GoogleConfig,
  type SlackConfig,
} from "@bron/connectors";
import type { Connector, ConnectorParts, Tool } from "@bron/core";
import { readForModel } from "@bron/documents";
import type { Config } from "./config.ts";
import { openSharedWorld, type SharedWorld } from "./world/shared-world.ts";

/** What this home's Bron can reach beyond itself. */
export interface Outside {
  readonly connectors: readonly ((parts: ConnectorParts) => Connector)[];
  readonly tools: readonly Tool[];
  /** The simulated one, unless an app at Google is configured. */
  readonly world: SharedWorld | undefined;
}

/** Real where an account or a key is configured, simulated otherwise. `isDemo` is a Bron that reaches nothing but this machine. */
export async function openOutside(
  config: Config,
  { isDemo }: { readonly isDemo: boolean },
): Promise<Outside> {
  const world = config.google ? undefined : await openSharedWorld(config.home);
  const google: GoogleConfig | undefined = config.google ?? world?.google;
  const slack: SlackConfig | undefined =
    config.slack ?? (world && { app: world.slack.app, endpoints: world.slack.endpoints });
  const web = isDemo && world ? { gateway: world.webGateway } : {};
  return {
    connectors: [
      ...(google ? [googleConnector({ config: google })] : []),
      ...(slack ? [slackConnector({ config: slack })] : []),
    ],
    // Without a world there is nobody in the demo who could answer for the web.
    tools: isDemo && !world ? [] : [webFetchTool({ read: readForModel, ...web })],
    world,
  };
}

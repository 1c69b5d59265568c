import type { RunModel } from "@bron/core";
import type { SiteAction } from "../actions/action-registry.ts";

/** What a site may use. Absent means no limit, except where a default is named. */
export interface SiteCaps {
  /** Model calls for one message of a visitor. The default is 20. */
  readonly steps?: number;
  /** In millionths of a US dollar, for all visitors in 24 hours. */
  readonly dayMicrousd?: number;
  /** The same for one visitor. */
  readonly visitorDayMicrousd?: number;
  /** Messages of one visitor in a minute. The default is 20. */
  readonly messagesPerMinute?: number;
  /** Requests from one address in a minute. The default is 120. */
  readonly requestsPerAddress?: number;
}

/** A web page, or several, that carry the page agent. */
export interface PageSite {
  readonly name: string;
  /** Exactly these origins may call the handler: scheme, host and port. */
  readonly origins: readonly string[];
  readonly isOn: boolean;
  readonly model: RunModel;
  /** How the agent should behave. It asks for nothing and names no one. */
  readonly instruction: string;
  readonly actions: readonly SiteAction[];
  readonly caps: SiteCaps;
}

/** Finds a site by its name. */
export type FindSite = (name: string) => Promise<PageSite | undefined>;

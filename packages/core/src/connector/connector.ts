import type { ConnectionSetup, Sign, WatchSource } from "@bron/protocol";
import type { Contacts, TokenVault } from "../ports/access/accounts.ts";
import type { Clock } from "../ports/clock.ts";
import type { Tool, ToolContext } from "../tool/tool.ts";

/**
 * Returns the addresses of everyone whom the owner calls by a name. It uses only what the owner
 * wrote, never a name that another person chose.
 */
export type PeopleNamed = (
  caller: Pick<ToolContext, "ownerId" | "signal">,
  name: string,
) => Promise<readonly string[]>;

/** What a watch found. */
export interface PollResult {
  /** Where the next poll starts. */
  readonly cursor: string;
  /** New since the given cursor, oldest first, each as text. Ignored for the first poll. */
  readonly matches: readonly string[];
}

/**
 * Looks for something new, without a model. Without a cursor it is the first poll, which only finds
 * out where to start. Must only read. Throws `missing_credentials` if the account is not connected,
 * and `invalid_arguments` if what is watched does not exist.
 */
export type PollWatch = (request: {
  readonly ownerId: string;
  readonly query: string;
  readonly cursor: string | null;
  readonly signal: AbortSignal;
}) => Promise<PollResult>;

export interface ConnectorDeps {
  readonly vault: TokenVault;
  readonly sign: Sign;
  /** Returns true the first time that a key is used, in any process, and false afterwards. */
  readonly useOnce: (key: string) => Promise<boolean>;
  readonly clock: Clock;
  readonly contacts: Contacts;
  /** Asks every connector that knows names of people. */
  readonly peopleNamed: PeopleNamed;
  /** The OAuth app of a provider that the owner of the server entered. It may change at any time. */
  readonly oauthClient?: (provider: string) => Promise<OauthClient | undefined>;
}

/** The credentials of an OAuth app. */
export interface OauthClient {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** An external service: its tools, and how an owner connects an account. */
export interface Connector {
  readonly provider: string;
  readonly tools: readonly Tool[];
  /** Set by a connector whose accounts tell what the owner calls people. */
  readonly peopleNamed?: PeopleNamed;
  /** What the owner can watch in an account. */
  readonly watches?: Readonly<Partial<Record<WatchSource, PollWatch>>>;
  /**
   * Where its OAuth app comes from. While it is missing, runs are not offered its tools. Without
   * this, the connector is configured.
   */
  readonly setup?: () => Promise<ConnectionSetup>;
  /** Permissions requested at sign-in, explained for the person who grants them. */
  readonly scopes: readonly { readonly scope: string; readonly why: string }[];
  /**
   * Returns the consent page to open in a browser. The provider redirects to `redirectUri`.
   * `returnTo` is the page where the owner began. It is bound to the sign-in.
   */
  startSignIn(request: {
    readonly ownerId: string;
    readonly redirectUri: string;
    readonly returnTo?: string | undefined;
  }): Promise<{ readonly url: string }>;
  /** The page where the sign-in of this state began. Undefined for a state that is not ours. */
  readonly returnPathOf?: (state: string) => string | undefined;
  /**
   * Completes the sign-in with the redirect's parameters. Throws forbidden when they are invalid.
   */
  finishSignIn(request: {
    readonly state: string;
    readonly code: string;
    readonly redirectUri: string;
  }): Promise<{
    readonly ownerId: string;
    readonly account: string;
    /** Set by a connector that finishes sign-ins of several providers. */
    readonly provider?: string;
  }>;
  /** Removes the account locally even if the provider is unreachable. */
  disconnect(ownerId: string): Promise<void>;
  status(
    ownerId: string,
  ): Promise<{ readonly account: string; readonly scopes: readonly string[] } | undefined>;
}

import type { Clock, Contacts, Sign, TokenVault } from "../ports.ts";
import type { Tool } from "../tool/tool.ts";

export interface ConnectorDeps {
  readonly vault: TokenVault;
  readonly sign: Sign;
  /** True the first time that a key is used, in any process, and never again. */
  readonly useOnce: (key: string) => Promise<boolean>;
  readonly clock: Clock;
  readonly contacts: Contacts;
}

/** An outside service: its tools, and how an owner's account is connected to it. */
export interface Connector {
  readonly provider: string;
  readonly tools: readonly Tool[];
  /** What is asked for at sign-in, in words for the person who decides. */
  readonly scopes: readonly { readonly scope: string; readonly why: string }[];
  /** Where a browser goes to consent; the answer comes back to `redirectUri`. */
  begin(request: {
    readonly ownerId: string;
    readonly redirectUri: string;
  }): Promise<{ readonly url: string }>;
  /** Takes what came back. Throws forbidden when it is no good. */
  finish(request: {
    readonly state: string;
    readonly code: string;
    readonly redirectUri: string;
  }): Promise<{ readonly ownerId: string; readonly account: string }>;
  /** Forgets the account here even if the provider cannot be told. */
  disconnect(ownerId: string): Promise<void>;
  status(
    ownerId: string,
  ): Promise<{ readonly account: string; readonly scopes: readonly string[] } | undefined>;
}

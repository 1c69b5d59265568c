/** The OAuth app, and the endpoints of Google's services. Omit `endpoints` to use the real ones. */
export interface GoogleConfig {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly endpoints?: {
    readonly authorize: string;
    readonly token: string;
    readonly revoke: string;
    /** Root URL of the APIs, with a trailing slash. */
    readonly rootUrl: string;
  };
}

/** A configuration that may change while the program runs. Undefined while there is none. */
export type GoogleConfigSource = GoogleConfig | (() => Promise<GoogleConfig | undefined>);

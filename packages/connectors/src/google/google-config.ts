/** The app that people sign in to, and where Google is: the real one unless said otherwise. */
export interface GoogleConfig {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly endpoints?: {
    readonly authorize: string;
    readonly token: string;
    readonly revoke: string;
    /** Of the Gmail API, with a slash at its end. */
    readonly rootUrl: string;
  };
}

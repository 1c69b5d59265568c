/** One of Google's APIs, as its official client provides it. */
export interface GoogleService<Client> {
  /** Display name. */
  readonly name: string;
  /** All of these are required. */
  readonly scopes: readonly string[];
  connect(accessToken: string): Promise<Client>;
}

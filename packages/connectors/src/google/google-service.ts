/** One of Google's APIs, as its official client serves it. */
export interface GoogleService<Client> {
  /** As people know it. */
  readonly name: string;
  /** All of them are needed. */
  readonly scopes: readonly string[];
  connect(accessToken: string): Promise<Client>;
}

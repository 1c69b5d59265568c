/** The consent page of a provider. It leads back to the page on which the owner is now. */
export function connectHref(provider: string, from: string): string {
  return `/api/connections/${encodeURIComponent(provider)}/connect?back=${encodeURIComponent(from)}`;
}

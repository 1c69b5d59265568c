/**
 * Acts as a person at a simulated consent page. `ticks` says which boxes stay ticked, by default
 * all of them. Returns the URL that the browser is redirected to.
 */
export async function submitConsentPage(
  url: string,
  decision: "allow" | "deny" = "allow",
  account?: string,
  ticks?: (scope: string) => boolean,
): Promise<URL> {
  const page = await (await fetch(url)).text();
  const field = (name: string) =>
    new RegExp(`name="${name}"[^>]*value="([^"]*)"`).exec(page)?.[1] ?? "";
  const body = new URLSearchParams({
    request: field("request"),
    account: account ?? field("account"),
    decision,
  });
  if (ticks) {
    body.set("granular", "1");
    for (const scope of (new URL(url).searchParams.get("scope") ?? "").split(" ").filter(ticks))
      body.append("scope", scope);
  }
  const response = await fetch(new URL(/<form[^>]*action="([^"]+)"/.exec(page)?.[1] ?? "", url), {
    method: "POST",
    body,
    redirect: "manual",
  });
  return new URL(response.headers.get("location") ?? "about:blank");
}

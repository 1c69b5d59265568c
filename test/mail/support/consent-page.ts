/** As a person at the simulated consent page. Returns where the browser is sent. */
export async function pressOnConsentPage(url: string, decision: "allow" | "deny" = "allow", account?: string): Promise<URL> {
  const page = await (await fetch(url)).text();
  const field = (name: string) => new RegExp(`name="${name}"[^>]*value="([^"]*)"`).exec(page)?.[1] ?? "";
  const body = new URLSearchParams({ request: field("request"), account: account ?? field("account"), decision });
  const answer = await fetch(new URL(/<form[^>]*action="([^"]+)"/.exec(page)?.[1] ?? "", url), { method: "POST", body, redirect: "manual" });
  return new URL(answer.headers.get("location") ?? "about:blank");
}

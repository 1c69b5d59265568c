/** As a browser does it: opens the link once and keeps the cookie. */
export async function signIn(link: string): Promise<string> {
  const response = await fetch(link, { redirect: "manual" });
  const cookie = response.headers.getSetCookie()[0]?.split(";", 1)[0];
  if (cookie === undefined) throw new Error(`No cookie came with ${response.status}`);
  return cookie;
}

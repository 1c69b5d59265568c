/** As a browser does it: opens the link once and keeps the cookie. */
export async function signIn(link: string): Promise<string> {
  const answer = await fetch(link, { redirect: "manual" });
  const cookie = answer.headers.getSetCookie()[0]?.split(";", 1)[0];
  if (cookie === undefined) throw new Error(`No cookie came with ${answer.status}`);
  return cookie;
}

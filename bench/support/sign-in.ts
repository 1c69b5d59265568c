/** Signs in as a browser does: opens the link once and returns the cookie. */
export async function signIn(link: string): Promise<string> {
  const response = await fetch(link, { redirect: "manual" });
  const cookie = response.headers.getSetCookie()[0]?.split(";", 1)[0];
  if (cookie === undefined)
    throw new Error(`The response with status ${response.status} has no cookie`);
  return cookie;
}

import { LogLevel, WebClient, type WebAPICallResult } from "@slack/web-api";
import { z } from "zod";
import type { Simulator } from "../google/start-simulator.ts";

export const slackRedirect = "http://127.0.0.1:9/slack";

/** The official client with short retry delays and no log output. */
export function createSlackClient(
  { slackEndpoints, slackBotToken }: Pick<Simulator, "slackEndpoints" | "slackBotToken">,
  token: string | undefined = slackBotToken,
  retries = 0,
): WebClient {
  return new WebClient(token, {
    slackApiUrl: slackEndpoints.apiUrl,
    logLevel: LogLevel.ERROR,
    retryConfig: { retries, minTimeout: 1, maxTimeout: 1 },
  });
}

interface SlackConsent {
  readonly scope?: string;
  readonly userScope?: string;
  readonly decision?: "allow" | "deny";
  /** More parameters for the URL of the consent page. */
  readonly more?: Readonly<Record<string, string>>;
}

/** Opens the consent page and submits its form like a browser. */
export async function slackConsent(
  simulator: Simulator,
  { scope = "channels:read", userScope = "", decision = "allow", more = {} }: SlackConsent = {},
) {
  const query = new URLSearchParams({
    client_id: simulator.slackClientId,
    scope,
    user_scope: userScope,
    redirect_uri: slackRedirect,
    state: "state-1",
    ...more,
  });
  const page = await (await fetch(`${simulator.slackEndpoints.authorizeUrl}?${query}`)).text();
  const form = new URLSearchParams({
    request: /name="request" value="([^"]+)"/.exec(page)?.[1] ?? "",
    decision,
  });
  const response = await fetch(new URL(/action="([^"]+)"/.exec(page)?.[1] ?? "", simulator.url), {
    method: "POST",
    body: form,
    redirect: "manual",
  });
  const redirect = new URL(response.headers.get("location") ?? "about:blank");
  return { page, form, redirect, code: redirect.searchParams.get("code") ?? "" };
}

/** Installs the app with exactly these scopes and returns a client for the bot. */
export async function installSlack(simulator: Simulator, scope: string): Promise<WebClient> {
  const { code } = await slackConsent(simulator, { scope });
  const response = await createSlackClient(simulator).oauth.v2.access({
    client_id: simulator.slackClientId,
    client_secret: simulator.slackClientSecret,
    code,
    redirect_uri: slackRedirect,
  });
  return createSlackClient(simulator, response.access_token);
}

const refused = z.object({
  data: z.looseObject({
    ok: z.literal(false),
    error: z.string(),
    response_metadata: z.looseObject({}),
  }),
});

/** Returns Slack's error for a call. Throws if the call succeeded. */
export async function slackRefusal(
  call: Promise<WebAPICallResult>,
): Promise<z.infer<typeof refused>["data"]> {
  const outcome = await call.then(
    () => "The call was not refused.",
    (error: unknown) => error,
  );
  return refused.parse(outcome).data;
}

const pageOfMessages = z.object({
  messages: z.array(z.looseObject({ ts: z.string(), text: z.string() })),
  has_more: z.boolean(),
  response_metadata: z.object({ next_cursor: z.string() }),
});

/** The client's own pagination. */
export async function* messagePages(
  client: WebClient,
  method: "conversations.history" | "conversations.replies",
  options: Readonly<Record<string, unknown>>,
) {
  for await (const page of client.paginate(method, { ...options }))
    yield pageOfMessages.parse(page);
}

export async function channelId(client: WebClient, name: string): Promise<string> {
  const { channels } = await client.conversations.list({ types: "public_channel,private_channel" });
  return channels?.find((channel) => channel.name === name)?.id ?? "";
}

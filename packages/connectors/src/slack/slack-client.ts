import type { WebClient } from "@slack/web-api";
import type { SlackConfig } from "./slack-config.ts";

interface SlackConnection {
  readonly token?: string;
  readonly endpoints: SlackConfig["endpoints"];
  readonly signal?: AbortSignal;
}

const timeoutMs = 20_000;

/**
 * Loads the library on first use. Disables its own retries, because they would outlast the tool
 * that calls it.
 */
export async function connectSlack({
  token,
  endpoints,
  signal,
}: SlackConnection): Promise<WebClient> {
  const { WebClient: Client } = await import("@slack/web-api");
  const limit = () =>
    AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])]);
  return new Client(token, {
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    allowAbsoluteUrls: false,
    logger: silent,
    fetch: (url, init) => fetch(url, { ...init, signal: limit() }),
    ...(endpoints ? { slackApiUrl: endpoints.api } : {}),
  });
}

/**
 * Silences the client's logger, which would print token errors to the terminal. Relevant errors are
 * thrown.
 */
const silent = {
  debug: noop,
  info: noop,
  warn: noop,
  error: noop,
  setLevel: noop,
  setName: noop,
  getLevel: () => "error" as never,
};

function noop(): void {
  // Errors are thrown instead.
}

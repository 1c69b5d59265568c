import type { IncomingMessage } from "node:http";
import { googleError, invalidArgument, noCaller, type GoogleError } from "./google-error.ts";

const maxBytes = 20 * 1024 * 1024;

type Route =
  | { readonly error: GoogleError }
  | { readonly model: string; readonly isStream: boolean };

/**
 * Accepts any model named "gemini-…" or "demo…", so tests can choose the model whose behavior the
 * client assumes.
 */
export function route(
  { method: verb, url: target = "/", headers }: IncomingMessage,
  bodyBytes: number,
): Route {
  const url = new URL(target, "http://127.0.0.1");
  if ((headers["x-goog-api-key"] ?? url.searchParams.get("key") ?? "") === "")
    return { error: noCaller };
  const [, model, method] =
    /^\/v1beta\/models\/([^/:]+):(generateContent|streamGenerateContent)$/.exec(url.pathname) ?? [];
  if (verb !== "POST" || model === undefined)
    return {
      error: googleError(404, `The requested URL ${url.pathname} was not found on this server.`),
    };
  if (!/^(?:gemini-|demo)/.test(model)) {
    return {
      error: googleError(
        404,
        `models/${model} is not found for API version v1beta, or is not supported for ${method}. Call ListModels to see the list of available models and their supported methods.`,
      ),
    };
  }
  if (bodyBytes > maxBytes)
    return { error: invalidArgument(`Request payload size exceeds the limit: ${maxBytes} bytes.`) };
  const isStream = method === "streamGenerateContent";
  if (isStream && url.searchParams.get("alt") !== "sse")
    return {
      error: invalidArgument("The demo model streams only as server-sent events: add ?alt=sse."),
    };
  return { model, isStream };
}

import { diffFromTable } from "./diff-from-table.ts";
import { request, type Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders } from "node:http";

export interface TestResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The parsed body. It is empty if the body is not JSON. */
  readonly json: Record<string, unknown>;
}

export interface TestRequest {
  readonly method?: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: unknown;
  /** For many requests in a row. If it is omitted, the request has a connection of its own. */
  readonly agent?: Agent;
}

/**
 * Sends a request. Unlike fetch, it allows any Host and Origin header. Every JSON response must
 * match the table of endpoints.
 */
export function ask(
  url: string,
  { method = "GET", headers = {}, body, agent }: TestRequest = {},
): Promise<TestResponse> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, agent: agent ?? false }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => {
        const text = Buffer.concat(chunks).toString();
        const isJson = /json\b/.test(response.headers["content-type"] ?? "") && text !== "";
        const result = {
          status: response.statusCode ?? 0,
          headers: response.headers,
          text,
          json: isJson ? (JSON.parse(text) as Record<string, unknown>) : {},
        };
        const problem =
          isJson && method !== "HEAD"
            ? diffFromTable(method, new URL(url).pathname, result)
            : undefined;
        if (problem === undefined) resolve(result);
        else reject(new Error(problem));
      });
    });
    sent.on("error", reject);
    sent.end(
      body === undefined
        ? undefined
        : typeof body === "string" || Buffer.isBuffer(body)
          ? body
          : JSON.stringify(body),
    );
  });
}

export const json = { "content-type": "application/json" };

import type { ServiceRequest } from "../google/simulated-service.ts";
import { invalidArguments, SlackError } from "./slack-error.ts";
import { readTs } from "./slack-times.ts";

/** The arguments of a call by name. Values that were not text are JSON. */
export type SlackArguments = ReadonlyMap<string, string>;

/** Reads the arguments from the query, a form or JSON. Throws SlackError. */
export async function readArguments({
  verb,
  url,
  headers,
  body,
}: Pick<ServiceRequest, "verb" | "url" | "headers" | "body">): Promise<SlackArguments> {
  const query = new Map(url.searchParams);
  if (verb === "GET" || body.length === 0) return query;
  const type = String(headers["content-type"] ?? "");
  const [name] = type.toLowerCase().split(";");
  if (name === "") throw new SlackError("missing_post_type");
  if (name === "application/x-www-form-urlencoded")
    return new Map([...query, ...new URLSearchParams(body.toString("utf8"))]);
  if (name === "application/json") return new Map([...query, ...readJson(body)]);
  if (name === "multipart/form-data")
    return new Map([...query, ...(await readMultipart(body, type))]);
  throw new SlackError("invalid_post_type");
}

function readJson(body: Buffer): readonly (readonly [string, string])[] {
  let value: unknown;
  try {
    value = JSON.parse(body.toString("utf8"));
  } catch {
    throw new SlackError("invalid_json");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new SlackError("json_not_object");
  return Object.entries(value).flatMap(([name, one]: [string, unknown]) =>
    one === null ? [] : [[name, typeof one === "string" ? one : JSON.stringify(one)] as const],
  );
}

async function readMultipart(
  body: Buffer,
  type: string,
): Promise<readonly (readonly [string, string])[]> {
  try {
    const form = await new Response(new Uint8Array(body), {
      headers: { "content-type": type },
    }).formData();
    return [...form].flatMap(([name, value]) =>
      typeof value === "string" ? [[name, value] as const] : [],
    );
  } catch {
    throw new SlackError("invalid_form_data");
  }
}

export function required(args: SlackArguments, name: string): string {
  const value = args.get(name) ?? "";
  if (value === "") throw invalidArguments(`missing required field: ${name}`);
  return value;
}

export const isSet = (args: SlackArguments, name: string) =>
  ["true", "1"].includes(args.get(name) ?? "");

export function readLimit(
  args: SlackArguments,
  { defaultLimit, max }: { readonly defaultLimit: number; readonly max: number },
): number {
  const text = args.get("limit") ?? "";
  if (text === "" || text === "0") return defaultLimit;
  if (!/^\d{1,6}$/.test(text) || Number(text) > max) throw new SlackError("invalid_limit");
  return Number(text);
}

/** In microseconds. */
export function readTime(args: SlackArguments, name: "latest" | "oldest"): bigint | undefined {
  const text = args.get(name) ?? "";
  if (text === "" || text === "now") return undefined;
  const time = readTs(text);
  if (time === undefined) throw new SlackError(`invalid_ts_${name}`);
  return time;
}

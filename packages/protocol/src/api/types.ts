import type { z } from "zod";
import type { Api, ApiKey } from "./index.ts";

/** The request and response types of an endpoint, for the client and the server. */

type ParamNames<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamNames<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

export type ApiParams<K extends ApiKey> = Readonly<Record<ParamNames<K>, string>>;

/** As the client sends it, before defaults are applied. */
export type ApiQueryInput<K extends ApiKey> = Api[K] extends {
  readonly query: infer Query extends z.ZodType;
}
  ? z.input<Query>
  : Readonly<Record<never, never>>;
export type ApiBodyInput<K extends ApiKey> = Api[K] extends {
  readonly body: infer Body extends z.ZodType;
}
  ? z.input<Body>
  : undefined;

/** As the handler receives it, after validation. */
export type ApiQuery<K extends ApiKey> = Api[K] extends {
  readonly query: infer Query extends z.ZodType;
}
  ? z.output<Query>
  : Readonly<Record<never, never>>;
export type ApiBody<K extends ApiKey> = Api[K] extends {
  readonly body: infer Body extends z.ZodType;
}
  ? z.output<Body>
  : undefined;

/** `never` if the response is not JSON. */
export type ApiResponse<K extends ApiKey> = Api[K]["response"] extends infer Response extends
  z.ZodType
  ? z.output<Response>
  : Api[K]["response"] extends "nothing"
    ? undefined
    : never;

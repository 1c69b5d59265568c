import { z } from "zod";

/**
 * Why an action needs an account. `service` is a name such as Gmail. `message` is text of the
 * provider.
 *
 * - `connection_rejected`: the provider no longer accepts the connection.
 * - `service_missing`: the account is connected, but without access to this service.
 * - `scope_missing`: the provider requires another scope.
 * - `permissions_missing`: the account was connected before Bron asked for these permissions.
 */
export const authReasonSchema = z.discriminatedUnion("code", [
  z.object({ code: z.literal("not_connected"), service: z.string() }),
  z.object({
    code: z.literal("connection_rejected"),
    service: z.string(),
    account: z.string().optional(),
    message: z.string().optional(),
  }),
  z.object({ code: z.literal("service_missing"), service: z.string(), account: z.string() }),
  z.object({ code: z.literal("scope_missing"), service: z.string(), scope: z.string() }),
  z.object({
    code: z.literal("permissions_missing"),
    service: z.string(),
    account: z.string(),
    missing: z.array(z.string()).readonly(),
  }),
]);
export type AuthReason = Readonly<z.infer<typeof authReasonSchema>>;

/** A sentence for each reason. */
type AuthWords = {
  readonly [K in AuthReason["code"]]: (why: Extract<AuthReason, { code: K }>) => string;
};

/** The sentences of the terminal, the web app and the model. To translate them, pass another table. */
export const authWords: AuthWords = {
  not_connected: ({ service }) => `${service} isn't connected.`,
  connection_rejected: ({ service, account, message }) => {
    const to = account === undefined ? "" : ` to ${account}`;
    const said = message === undefined ? "" : ` (${message})`;
    return `${service} no longer accepts the connection${to}${said}. Connect it again.`;
  },
  service_missing: ({ service, account }) =>
    `${account} is connected without ${service}. Connect it again and keep its box checked.`,
  scope_missing: ({ service, scope }) =>
    `${service} requires another scope: ${scope}. Add it to the app and connect again.`,
  permissions_missing: ({ service, account, missing }) =>
    `${service} (${account}) was connected without these permissions: ${missing.join(", ")}. Connect it again.`,
};

/** Why an action needs an account: a reason, or the text of a tool that gives none. */
interface AuthNeed {
  readonly why?: AuthReason | undefined;
  readonly reason?: string | undefined;
}

/** The sentence about an account that is needed. */
export function describeAuth({ why, reason = "" }: AuthNeed, words: AuthWords = authWords): string {
  return why === undefined ? reason : (words[why.code] as (value: AuthReason) => string)(why);
}

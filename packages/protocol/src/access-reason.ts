import { z } from "zod";

/**
 * Why a request about API tokens or sessions was not accepted.
 *
 * - `tokens_full`: the owner has as many tokens as possible.
 * - `token_ended`: the token of the request was revoked or has expired.
 * - `token_outlives`: a token cannot create one that lasts longer than itself.
 * - `scope_not_held`: a token cannot grant a scope that it does not have.
 * - `scope_needed`: the token of the request lacks this scope.
 * - `token_only`: the route is for programs.
 * - `person_needed`: no token may do this, whatever its scopes.
 */
export const accessReasonSchemas = [
  z.object({ code: z.literal("tokens_full"), limit: z.number().int() }),
  z.object({ code: z.literal("token_missing") }),
  z.object({ code: z.literal("token_ended") }),
  z.object({ code: z.literal("token_outlives"), expiresAt: z.string() }),
  z.object({ code: z.literal("scope_not_held"), scope: z.string() }),
  z.object({ code: z.literal("scope_needed"), scope: z.string() }),
  z.object({ code: z.literal("session_missing") }),
  z.object({ code: z.literal("person_needed") }),
  z.object({ code: z.literal("token_only") }),
  z.object({ code: z.literal("too_many_calls") }),
] as const;
type AccessReason = Readonly<z.infer<(typeof accessReasonSchemas)[number]>>;

/** A sentence for each reason. */
type AccessWords = {
  readonly [K in AccessReason["code"]]: (why: Extract<AccessReason, { code: K }>) => string;
};

export const accessWords: AccessWords = {
  tokens_full: ({ limit }) => `You have ${limit} tokens, which is the limit. Revoke one first.`,
  token_missing: () => "Token not found.",
  token_ended: () => "The token used for this request was revoked or has expired.",
  token_outlives: ({ expiresAt }) =>
    `days: this token expires at ${expiresAt}, so it can't create one that lasts longer. Use fewer days, or leave out days.`,
  scope_not_held: ({ scope }) =>
    `This token can't grant the "${scope}" scope, because it doesn't have it.`,
  scope_needed: ({ scope }) => `This token needs the "${scope}" scope.`,
  session_missing: () => "Session not found.",
  token_only: () => "Programs use an API token here. Create one with: bron tokens create",
  too_many_calls: () => "Too many calls wait for tasks. Try again when some have ended.",
  person_needed: () => "A token can't do this. Do it on the page or in a terminal.",
};

import {
  actionFailure,
  BronError,
  isOutage,
  requestError,
  type Grant,
  type TokenVault,
} from "@bron/core";
import type { AuthReason } from "@bron/protocol";
import type { CodeChallengeMethod } from "google-auth-library";
import { needsAccount } from "../needs-account.ts";
import { gmailService } from "./gmail-service.ts";
import type { GoogleConfig, GoogleConfigSource } from "./google-config.ts";
import { readFailure } from "./google-error.ts";
import { oauthClient } from "./oauth-client.ts";
import { gmailScopes, googleScopes } from "./scopes.ts";

export const googleProvider = "google";
const googleName = "Google";

export interface GoogleAccounts {
  /** The URL where the browser asks for consent. */
  consentUrl(request: {
    readonly redirectUri: string;
    readonly state: string;
    readonly codeChallenge: string;
  }): Promise<string>;
  /**
   * Exchanges the code for tokens. Throws forbidden if the code is invalid or a scope is missing.
   */
  finish(request: {
    readonly ownerId: string;
    readonly code: string;
    readonly codeVerifier: string;
    readonly redirectUri: string;
  }): Promise<{ account: string; scopes: readonly string[] }>;
  /** Removes the account here even if Google cannot be notified. */
  disconnect(ownerId: string): Promise<void>;
  status(ownerId: string): Promise<{ account: string; scopes: readonly string[] } | undefined>;
  /**
   * Throws missing_credentials, or tool_failed if a token cannot be refreshed now. Pass `fresh`
   * after Google rejected the token.
   */
  access(ownerId: string, options?: { readonly fresh?: boolean }): Promise<GoogleAccess>;
}

interface GoogleAccess {
  readonly account: string;
  readonly accessToken: string;
  readonly scopes: readonly string[];
  /** The app, and the endpoints, that the token is for. Without it, those of the service. */
  readonly config?: GoogleConfig;
}

interface GoogleAccountsDeps {
  readonly config: GoogleConfigSource;
  readonly vault: TokenVault;
  readonly now: () => number;
}

/** A token that expires within this time is refreshed before it is used. */
const earlyMs = 2 * 60_000;

export function createGoogleAccounts({ config, vault, now }: GoogleAccountsDeps): GoogleAccounts {
  const find = async () => (typeof config === "function" ? await config() : config);
  const findApp = async () => {
    const app = await find();
    if (!app) throw requestError("forbidden", { code: "client_missing", service: googleName });
    return app;
  };
  const access: GoogleAccounts["access"] = async (ownerId, { fresh = false } = {}) => {
    const app = await find();
    const grant = app && (await vault.load(ownerId, vaultKeyOf(app)));
    if (!grant) throw needsConnection({ code: "not_connected", service: googleName });
    const usable =
      fresh || grant.expiresAt - now() < earlyMs
        ? await refreshGrant({ app, vault, now }, ownerId, grant)
        : grant;
    return usable ? { ...usable, config: app } : await access(ownerId);
  };

  return {
    async consentUrl({ redirectUri, state, codeChallenge }) {
      const client = await oauthClient(await findApp(), redirectUri);
      return client.generateAuthUrl({
        access_type: "offline",
        prompt: "consent",
        scope: googleScopes.map(({ scope }) => scope),
        state,
        code_challenge: codeChallenge,
        code_challenge_method: "S256" as CodeChallengeMethod,
      });
    },

    async finish({ ownerId, ...request }) {
      const app = await findApp();
      const { accessToken, refreshToken, expiresAt, scopes } = await exchangeCode(app, request);
      const { data } = await (
        await gmailService().connect(accessToken, app)
      ).gmail.users.getProfile({ userId: "me" });
      const account = data.emailAddress ?? "";
      await vault.save(ownerId, vaultKeyOf(app), {
        account,
        accessToken,
        refreshToken,
        expiresAt: expiresAt ?? now(),
        scopes,
      });
      return { account, scopes };
    },

    async disconnect(ownerId) {
      const app = await findApp();
      const grant = await vault.load(ownerId, vaultKeyOf(app));
      await vault.remove(ownerId, vaultKeyOf(app));
      if (grant)
        await (await oauthClient(app)).revokeToken(grant.refreshToken).catch(() => undefined);
    },

    async status(ownerId) {
      const app = await find();
      const grant = app && (await vault.load(ownerId, vaultKeyOf(app)));
      return grant && { account: grant.account, scopes: grant.scopes };
    },

    access,
  };
}

/** Throws forbidden if the code is invalid or if the person left out a scope. */
async function exchangeCode(
  app: GoogleConfig,
  { code, codeVerifier, redirectUri }: Omit<Parameters<GoogleAccounts["finish"]>[0], "ownerId">,
) {
  const client = await oauthClient(app, redirectUri);
  const tokens = await client.getToken({ code, codeVerifier }).then(
    (response) => response.tokens,
    (error: unknown) => {
      throw requestError(
        "forbidden",
        {
          code: "sign_in_rejected",
          service: googleName,
          message: readFailure(error).message,
        },
        { cause: error },
      );
    },
  );
  const scopes = (tokens.scope ?? "").split(" ").filter(Boolean);
  const missing = gmailScopes.filter(({ scope }) => !scopes.includes(scope));
  if (missing.length > 0)
    throw requestError("forbidden", {
      code: "access_missing",
      service: googleName,
      missing: missing.map(({ why }) => why),
    });
  const { access_token: accessToken, refresh_token: refreshToken, expiry_date: expiresAt } = tokens;
  if (!accessToken || !refreshToken)
    throw requestError("forbidden", { code: "offline_access_missing" });
  return { accessToken, refreshToken, expiresAt, scopes };
}

/**
 * Returns undefined if the account was disconnected or replaced meanwhile. The new tokens are then
 * discarded.
 */
async function refreshGrant(
  { app, vault, now }: Omit<GoogleAccountsDeps, "config"> & { readonly app: GoogleConfig },
  ownerId: string,
  grant: Grant,
): Promise<Grant | undefined> {
  const client = await oauthClient(app);
  client.setCredentials({ refresh_token: grant.refreshToken });
  try {
    const { credentials } = await client.refreshAccessToken();
    const renewed: Grant = {
      ...grant,
      accessToken: credentials.access_token ?? "",
      expiresAt: credentials.expiry_date ?? now() + 3_000_000,
      refreshToken: credentials.refresh_token ?? grant.refreshToken,
    };
    return (await vault.renew(ownerId, vaultKeyOf(app), grant, renewed)) ? renewed : undefined;
  } catch (error) {
    if (isOutage(error)) throw error;
    const { status, message, reason } = readFailure(error);
    if (status === 400 || status === 401)
      throw needsConnection({
        code: "connection_rejected",
        service: googleName,
        account: grant.account,
        message: reason ?? message,
      });
    // Google's client has already retried, so the caller need not retry as well.
    if (status === undefined || status === 429 || status >= 500)
      throw actionFailure(
        "tool_failed",
        { code: "sign_in_unreachable", service: googleName, message },
        { retryable: true, cause: error },
      );
    throw error;
  }
}

/** A simulated account never replaces a real one, and real tokens never go to a simulator. */
export function vaultKeyOf({ endpoints }: GoogleConfig): string {
  return endpoints ? `${googleProvider}-simulated` : googleProvider;
}

export function needsConnection(why: AuthReason): BronError {
  return needsAccount(googleProvider, why);
}

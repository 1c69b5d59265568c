import { omitUndefined } from "@bron/protocol";
import { BronError, messageOf } from "@bron/core";
import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { AuthClient } from "google-auth-library";
import { readFileSync } from "node:fs";
import { lazyModel } from "./lazy-model.ts";
import { checkBaseUrl, invalidSetting, trimmed } from "./setting-checks.ts";

export interface VertexSettings {
  /** Path of the credentials: of a service account, or of a user who signed in with gcloud. */
  readonly googleCredentialsFile?: string;
  /** The default is the project of the credentials. */
  readonly vertexProject?: string;
  /** The default is `global`. */
  readonly vertexLocation?: string;
  readonly vertexBaseUrl?: string;
}

type Credentials =
  | {
      readonly type: "service_account";
      readonly client_email: string;
      readonly private_key: string;
      readonly private_key_id?: string;
    }
  | {
      readonly type: "authorized_user";
      readonly client_id: string;
      readonly client_secret: string;
      readonly refresh_token: string;
    };

interface VertexAccess {
  readonly credentials: Credentials;
  /** Up to and including the publisher. */
  readonly baseUrl: string;
  /** For tests. */
  readonly fetch?: typeof fetch;
}

const fileVariable = "GOOGLE_APPLICATION_CREDENTIALS";
const scope = "https://www.googleapis.com/auth/cloud-platform";

/** Throws config_invalid. Reads the credentials file, but does not use the network. */
export function vertexAccess(settings: VertexSettings): VertexAccess {
  const credentialsFile = trimmed(settings.googleCredentialsFile);
  if (credentialsFile === undefined)
    throw invalidSetting(
      fileVariable,
      `A model on Vertex AI needs ${fileVariable}. Set it to the path of a service account's key file.`,
    );
  const { project_id: ownProject, ...credentials } = readCredentials(credentialsFile);
  const project = trimmed(settings.vertexProject) ?? ownProject;
  const location = trimmed(settings.vertexLocation) ?? "global";
  if (project === undefined || !/^[\w.:-]+$/.test(project))
    throw invalidSetting(
      "GOOGLE_CLOUD_PROJECT",
      "A model on Vertex AI needs a Google Cloud project. Set GOOGLE_CLOUD_PROJECT.",
    );
  if (!/^[a-z0-9-]+$/.test(location))
    throw invalidSetting(
      "GOOGLE_CLOUD_LOCATION",
      `GOOGLE_CLOUD_LOCATION is "${location}". Set it to a region such as europe-west4, or to global.`,
    );
  const host =
    checkBaseUrl("VERTEX_BASE_URL", settings.vertexBaseUrl) ??
    `https://${location === "global" ? "" : `${location}-`}aiplatform.googleapis.com`;
  return {
    credentials,
    baseUrl: `${host}/v1beta1/projects/${project}/locations/${location}/publishers/google`,
  };
}

/** Errors never contain the content of the file. */
function readCredentials(path: string): Credentials & { readonly project_id?: string } {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    const reason = error instanceof SyntaxError ? "it is not JSON" : messageOf(error);
    throw invalidSetting(fileVariable, `${fileVariable} can't be read: ${reason}.`);
  }
  const values = Object(content) as Readonly<Record<string, unknown>>;
  const needed = neededFields[String(values["type"])];
  if (!needed?.every((field) => typeof values[field] === "string"))
    throw invalidSetting(
      fileVariable,
      `${fileVariable} is not the key file of a service account, or what gcloud auth application-default login writes.`,
    );
  return values as unknown as Credentials;
}

const neededFields: Readonly<Record<string, readonly string[]>> = {
  service_account: ["client_email", "private_key"],
  authorized_user: ["client_id", "client_secret", "refresh_token"],
};

/**
 * Gemini on Vertex AI, through the provider for Gemini. Under this name the provider leaves out what
 * Vertex rejects, such as the ids of calls. Google's library signs the requests for tokens.
 */
export function createVertexModel(modelId: string, access: VertexAccess): LanguageModelV4 {
  return lazyModel({ provider: "google.vertex", modelId }, async () => {
    const [{ createGoogleGenerativeAI }, auth] = await Promise.all([
      import("@ai-sdk/google"),
      createAuthClient(access),
    ]);
    return createGoogleGenerativeAI({
      name: "google.vertex.chat",
      // Always passed, because without a key the provider would read the environment.
      apiKey: "unused",
      baseURL: access.baseUrl,
      fetch: async (input, init) => {
        const headers = new Headers(init?.headers);
        headers.delete("x-goog-api-key");
        headers.set("authorization", `Bearer ${await accessToken(auth)}`);
        return await fetch(input, { ...init, headers });
      },
    })(modelId);
  });
}

async function createAuthClient({ credentials, fetch: own }: VertexAccess): Promise<AuthClient> {
  const { JWT, UserRefreshClient } = await import("google-auth-library");
  const transport = own ? { transporterOptions: { fetchImplementation: own } } : {};
  if (credentials.type === "authorized_user")
    return new UserRefreshClient({
      clientId: credentials.client_id,
      clientSecret: credentials.client_secret,
      refreshToken: credentials.refresh_token,
      ...transport,
    });
  return new JWT({
    email: credentials.client_email,
    key: credentials.private_key,
    ...omitUndefined({ keyId: credentials.private_key_id }),
    scopes: [scope],
    ...transport,
  });
}

/** The library keeps the token until shortly before it expires. */
async function accessToken(auth: AuthClient): Promise<string> {
  try {
    const { token } = await auth.getAccessToken();
    if (typeof token === "string") return token;
  } catch (error) {
    const { status } = Object(error) as { readonly status?: unknown };
    const isRejected = typeof status !== "number" ? !isNetworkError(error) : status < 500;
    throw new BronError(
      isRejected ? "model_refused" : "model_unavailable",
      `Google did not accept the credentials in ${fileVariable}: ${messageOf(error)}`,
      { cause: error },
    );
  }
  throw new BronError("model_refused", `Google returned no token for ${fileVariable}.`);
}

function isNetworkError(error: unknown): boolean {
  const { code, cause } = Object(error) as { readonly code?: unknown; readonly cause?: unknown };
  if (typeof code === "string" && /^(E[A-Z_]+|UND_ERR_\w+)$/.test(code)) return code !== "ENOENT";
  return typeof cause === "object" && cause !== null && isNetworkError(cause);
}

import { BronError } from "@bron/core";
import { AwsClient } from "aws4fetch";
import { createHash } from "node:crypto";
import type { ByteStore } from "./blobs.ts";

export interface S3Settings {
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

const requestTimeoutMs = 60_000;
/** Retries after the first attempt, with delays of at most 50 ms and 100 ms. */
const retries = 2;

/**
 * Works with any S3-compatible store. The bucket is part of the path, and the content is part of
 * the signature.
 */
export function s3Store({
  endpoint,
  bucket,
  region,
  accessKeyId,
  secretAccessKey,
}: S3Settings): ByteStore {
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: "s3", retries });
  const request = async (key: string, init: RequestInit): Promise<Response> => {
    try {
      return await client.fetch(`${endpoint.replace(/\/+$/, "")}/${bucket}/${key}`, {
        ...init,
        redirect: "manual",
        signal: AbortSignal.timeout(requestTimeoutMs),
      });
    } catch (error) {
      throw unavailable("is not responding.", error);
    }
  };
  const read = async (
    key: string,
    headers: Record<string, string>,
  ): Promise<{ readonly bytes: Uint8Array; readonly range: string | null } | undefined> => {
    const response = await request(key, { method: "GET", headers });
    if (response.status === 404) {
      // A missing bucket is a configuration error, not a missing file.
      if ((await response.text()).includes("NoSuchBucket"))
        throw new BronError(
          "storage_unreachable",
          `Bucket ${bucket} not found in the S3 store. Check S3_BUCKET.`,
          { retryable: false },
        );
      return undefined;
    }
    if (!response.ok) throw await toError(response);
    try {
      return {
        bytes: new Uint8Array(await response.arrayBuffer()),
        range: response.headers.get("content-range"),
      };
    } catch (error) {
      throw unavailable("closed the connection in the middle of a response.", error);
    }
  };
  return {
    async put(key, bytes) {
      const sha256 = createHash("sha256").update(bytes).digest("hex");
      const response = await request(key, {
        method: "PUT",
        body: bytes as Uint8Array<ArrayBuffer>,
        headers: { "x-amz-content-sha256": sha256, "content-type": "application/octet-stream" },
      });
      if (!response.ok) throw await toError(response);
      await response.body?.cancel();
    },
    get: async (key) => (await read(key, {}))?.bytes,
    async getRange(key, from, length) {
      const found = await read(key, { range: `bytes=${from}-${from + length - 1}` });
      if (!found) return undefined;
      const total = /^bytes \d+-\d+\/(\d+)$/.exec(found.range ?? "")?.[1];
      // The store does not support ranges and has sent all of the content.
      return total === undefined
        ? { bytes: found.bytes.subarray(from, from + length), totalBytes: found.bytes.length }
        : { bytes: found.bytes, totalBytes: Number(total) };
    },
    async remove(key) {
      const response = await request(key, { method: "DELETE" });
      if (!response.ok && response.status !== 404) throw await toError(response);
      await response.body?.cancel();
    },
  };
}

/** The endpoint is not for clients, so only the cause contains it. */
function unavailable(what: string, error?: unknown): BronError {
  return new BronError("storage_unreachable", `The S3 store ${what}`, {
    cause: error instanceof Error ? (error.cause ?? error) : error,
  });
}

async function toError(response: Response): Promise<BronError> {
  await response.body?.cancel();
  if (response.status >= 500 || response.status === 429)
    return unavailable(`responded with ${response.status}.`);
  return new BronError(
    "storage_unreachable",
    `The S3 store denied access (${response.status}). Check S3_BUCKET, S3_REGION and the keys.`,
    { retryable: false },
  );
}

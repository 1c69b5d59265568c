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

const requestMs = 60_000;
/** After the first try, with 50 ms and then 100 ms at most between them. */
const retries = 2;

/** Any store that speaks S3: the bucket is part of the path, and the bytes are part of the signature. */
export function s3Store({
  endpoint,
  bucket,
  region,
  accessKeyId,
  secretAccessKey,
}: S3Settings): ByteStore {
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: "s3", retries });
  const ask = async (key: string, init: RequestInit): Promise<Response> => {
    try {
      return await client.fetch(`${endpoint.replace(/\/+$/, "")}/${bucket}/${key}`, {
        ...init,
        redirect: "manual",
        signal: AbortSignal.timeout(requestMs),
      });
    } catch (error) {
      throw away("is not responding.", error);
    }
  };
  /** Its address is not for clients; the cause has it. */
  const away = (what: string, error?: unknown) =>
    new BronError("storage_unreachable", `The S3 store ${what}`, {
      cause: error instanceof Error ? (error.cause ?? error) : error,
    });
  const refused = async (response: Response) => {
    await response.body?.cancel();
    if (response.status >= 500 || response.status === 429)
      return away(`responded with ${response.status}.`);
    return new BronError(
      "storage_unreachable",
      `The S3 store denied access (${response.status}). Check S3_BUCKET, S3_REGION and the keys.`,
      { retryable: false },
    );
  };
  const read = async (
    key: string,
    headers: Record<string, string>,
  ): Promise<{ readonly bytes: Uint8Array; readonly range: string | null } | undefined> => {
    const response = await ask(key, { method: "GET", headers });
    if (response.status === 404) {
      // A bucket that is not there is a mistake in the settings, and not a lost file.
      if ((await response.text()).includes("NoSuchBucket"))
        throw new BronError(
          "storage_unreachable",
          `Bucket ${bucket} not found in the S3 store. Check S3_BUCKET.`,
          { retryable: false },
        );
      return undefined;
    }
    if (!response.ok) throw await refused(response);
    try {
      return {
        bytes: new Uint8Array(await response.arrayBuffer()),
        range: response.headers.get("content-range"),
      };
    } catch (error) {
      throw away("closed the connection in the middle of a response.", error);
    }
  };
  return {
    async put(key, bytes) {
      const sha256 = createHash("sha256").update(bytes).digest("hex");
      const response = await ask(key, {
        method: "PUT",
        body: bytes as Uint8Array<ArrayBuffer>,
        headers: { "x-amz-content-sha256": sha256, "content-type": "application/octet-stream" },
      });
      if (!response.ok) throw await refused(response);
      await response.body?.cancel();
    },
    get: async (key) => (await read(key, {}))?.bytes,
    async getPart(key, from, length) {
      const found = await read(key, { range: `bytes=${from}-${from + length - 1}` });
      if (!found) return undefined;
      const total = /^bytes \d+-\d+\/(\d+)$/.exec(found.range ?? "")?.[1];
      // A store that knows no ranges has sent all of it.
      return total === undefined
        ? { bytes: found.bytes.subarray(from, from + length), totalBytes: found.bytes.length }
        : { bytes: found.bytes, totalBytes: Number(total) };
    },
    async remove(key) {
      const response = await ask(key, { method: "DELETE" });
      if (!response.ok && response.status !== 404) throw await refused(response);
      await response.body?.cancel();
    },
  };
}

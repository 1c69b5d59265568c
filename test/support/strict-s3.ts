import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface StrictS3 {
  readonly settings: {
    readonly endpoint: string;
    readonly bucket: string;
    readonly region: string;
    readonly accessKeyId: string;
    readonly secretAccessKey: string;
  };
  readonly objects: Map<string, Buffer>;
  /** The method, the key and the response status of each request. */
  readonly record: { readonly method: string; readonly key: string; readonly status: number }[];
  /** Responds to the next `times` requests with `status`, whatever they ask for. */
  fail(status: number, times: number): void;
  close(): Promise<void>;
}

const region = "eu-test-1";
const bucket = "bron-bytes";
const accessKeyId = "AKIATEST";
const secretAccessKey = "a secret of the test's own/with+signs";
const maxSkewMs = 15 * 60_000;

const hex = (bytes: Buffer | string) => createHash("sha256").update(bytes).digest("hex");
const hmac = (key: Buffer | string, text: string) =>
  createHmac("sha256", key).update(text).digest();

/**
 * Implements S3's PUT, GET (also of ranges) and DELETE of objects. It recomputes every signature
 * from the request (AWS Signature Version 4).
 */
export async function startStrictS3(port = 0): Promise<StrictS3> {
  const objects = new Map<string, Buffer>();
  const record: StrictS3["record"][number][] = [];
  let failures: number[] = [];

  const responseTo = (
    incoming: IncomingMessage,
    body: Buffer,
  ): { status: number; body?: Buffer | string; headers?: Record<string, string> } => {
    const failure = failures.shift();
    if (failure !== undefined)
      return { status: failure, body: "<Error><Code>SlowDown</Code></Error>" };
    const problem = signatureProblem(incoming, body);
    if (problem !== undefined)
      return { status: 403, body: `<Error><Code>${problem}</Code></Error>` };
    const [, inBucket = "", ...rest] = (incoming.url ?? "").split("/");
    const key = decodeURIComponent(rest.join("/"));
    if (inBucket !== bucket)
      return { status: 404, body: "<Error><Code>NoSuchBucket</Code></Error>" };
    if (incoming.method === "PUT") {
      objects.set(key, body);
      return { status: 200 };
    }
    if (incoming.method === "DELETE") {
      objects.delete(key);
      return { status: 204 };
    }
    const object = objects.get(key);
    if (incoming.method !== "GET") return { status: 405 };
    if (!object) return { status: 404, body: "<Error><Code>NoSuchKey</Code></Error>" };
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(incoming.headers.range ?? "") ?? [];
    if (from === undefined || to === undefined) return { status: 200, body: object };
    const part = object.subarray(Number(from), Number(to) + 1);
    return {
      status: 206,
      body: part,
      headers: {
        "content-range": `bytes ${from}-${Number(from) + part.length - 1}/${object.length}`,
      },
    };
  };

  const server = createServer((incoming: IncomingMessage, outgoing: ServerResponse) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      const { status, body, headers } = responseTo(incoming, Buffer.concat(chunks));
      record.push({ method: incoming.method ?? "", key: incoming.url ?? "", status });
      outgoing.writeHead(status, headers).end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    settings: { endpoint, bucket, region, accessKeyId, secretAccessKey },
    objects,
    record,
    fail(status, times) {
      failures = Array.from({ length: times }, () => status);
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** As S3 requires, all characters except letters, digits and -._~ are escaped. */
function encodeStrictly(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** The error code that S3 would return, or undefined if the signature is right. */
function signatureProblem(
  { method = "", url = "", headers }: IncomingMessage,
  body: Buffer,
): string | undefined {
  const match =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([\w;-]+), Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? "",
    );
  if (!match) return "AccessDenied";
  const [, keyId = "", day = "", inRegion = "", signedHeaders = "", signature = ""] = match;
  if (keyId !== accessKeyId) return "InvalidAccessKeyId";
  if (inRegion !== region) return "AuthorizationHeaderMalformed";
  const signed = signedHeaders.split(";");
  const must = ["host", "x-amz-date", "x-amz-content-sha256"];
  if (
    signed.join() !== signed.toSorted().join() ||
    must.some((name) => !signed.includes(name)) ||
    Object.keys(headers).some((name) => name.startsWith("x-amz-") && !signed.includes(name))
  )
    return "AccessDenied";
  const date = String(headers["x-amz-date"]);
  const at = Date.parse(
    date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z"),
  );
  if (!date.startsWith(day) || !(Math.abs(Date.now() - at) < maxSkewMs))
    return "RequestTimeTooSkewed";
  const payload = String(headers["x-amz-content-sha256"]);
  if (payload !== "UNSIGNED-PAYLOAD" && payload !== hex(body)) return "XAmzContentSHA256Mismatch";
  if (method === "PUT" && payload === "UNSIGNED-PAYLOAD") return "AccessDenied";
  const [path = "", query = ""] = url.split("?");
  const uri = path
    .split("/")
    .map((part) => encodeStrictly(decodeURIComponent(part)))
    .join("/");
  const canonical = [
    method,
    uri,
    query,
    ...signed.map((name) => `${name}:${String(headers[name]).trim().replace(/\s+/g, " ")}`),
    "",
    signedHeaders,
    payload,
  ].join("\n");
  const scope = `${day}/${region}/s3/aws4_request`;
  const key = hmac(hmac(hmac(hmac(`AWS4${secretAccessKey}`, day), region), "s3"), "aws4_request");
  const right = hmac(key, ["AWS4-HMAC-SHA256", date, scope, hex(canonical)].join("\n"));
  return timingSafeEqual(right, Buffer.from(signature, "hex"))
    ? undefined
    : "SignatureDoesNotMatch";
}

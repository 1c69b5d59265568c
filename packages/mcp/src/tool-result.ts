import type { EffectContext } from "@bron/core";
import { omitUndefined, type JsonObject, type JsonValue } from "@bron/protocol";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";

const maxFiles = 20;
const maxLinks = 100;

type Content = CallToolResult["content"][number];

/**
 * The result of a call, for the model. Images, sound and files become artifacts of the run, and a
 * link stays text, because Bron opens nothing that a server names.
 */
export async function toOutput(
  result: CallToolResult,
  tool: string,
  context: Pick<EffectContext, "saveArtifact" | "maxAttachmentBytes">,
): Promise<JsonValue> {
  const texts: string[] = [];
  const files: JsonObject[] = [];
  const links: JsonObject[] = [];
  for (const content of result.content) {
    if (content.type === "text") texts.push(content.text);
    else if (content.type === "resource_link") {
      if (links.length < maxLinks) links.push({ name: content.name, uri: content.uri });
    } else if (files.length < maxFiles)
      files.push(await keepFile(content, tool, files.length + 1, context));
    else files.push({ left_out: `more than ${maxFiles} files` });
  }
  const data = result.structuredContent as JsonObject | undefined;
  // Servers repeat structured content as text, for clients that do not know it.
  const text = data === undefined ? texts : texts.filter((one) => !isJsonOf(one, data));
  if (data === undefined && files.length === 0 && links.length === 0) return texts.join("\n");
  return {
    ...(text.length > 0 ? { text: text.join("\n") } : {}),
    ...omitUndefined({ data }),
    ...(files.length > 0 ? { files } : {}),
    ...(links.length > 0 ? { links } : {}),
  };
}

function isJsonOf(text: string, data: JsonObject): boolean {
  try {
    return JSON.stringify(JSON.parse(text)) === JSON.stringify(data);
  } catch {
    return false;
  }
}

async function keepFile(
  content: Exclude<Content, { type: "text" } | { type: "resource_link" }>,
  tool: string,
  number: number,
  { saveArtifact, maxAttachmentBytes }: Pick<EffectContext, "saveArtifact" | "maxAttachmentBytes">,
): Promise<JsonObject> {
  const { bytes, mediaType, name, text } = fileOf(content, `${tool}-${number}`);
  if (bytes.length > maxAttachmentBytes) return { name, left_out: "it is too large" };
  const { artifactId, digest } = await saveArtifact({ kind: "mcp_file", name, mediaType, bytes });
  return { name, mediaType, artifactId, digest, ...omitUndefined({ text }) };
}

interface File {
  readonly bytes: Uint8Array;
  readonly mediaType: string;
  readonly name: string;
  readonly text?: string;
}

function fileOf(
  content: Exclude<Content, { type: "text" } | { type: "resource_link" }>,
  fallback: string,
): File {
  if (content.type === "image" || content.type === "audio") {
    const mediaType = safeMediaType(content.mimeType);
    const name = `${fallback}.${endings[mediaType] ?? "bin"}`;
    return { bytes: Buffer.from(content.data, "base64"), mediaType, name };
  }
  const { resource } = content;
  const name = (resource.uri.split(/[/?#]/).findLast((part) => part !== "") ?? fallback).slice(
    0,
    120,
  );
  if ("text" in resource)
    return {
      bytes: new TextEncoder().encode(resource.text),
      mediaType: "text/plain; charset=utf-8",
      name,
      text: resource.text,
    };
  const mediaType = safeMediaType(resource.mimeType);
  return { bytes: Buffer.from(resource.blob, "base64"), mediaType, name };
}

const endings: Readonly<Record<string, string>> = {
  "image/png": "png",
  "image/jpeg": "jpg",
  "image/gif": "gif",
  "image/webp": "webp",
  "audio/mpeg": "mp3",
  "audio/wav": "wav",
  "audio/ogg": "ogg",
  "application/pdf": "pdf",
};

/** A server's word on a type that a browser could run does not count. */
function safeMediaType(claimed = ""): string {
  const type = claimed.split(";")[0]?.trim().toLowerCase() ?? "";
  return type in endings ? type : "application/octet-stream";
}

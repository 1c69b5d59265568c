import type { Client } from "@bron/client";
import { BronError } from "@bron/core";
import { openAsBlob } from "node:fs";
import { stat } from "node:fs/promises";
import { basename, extname } from "node:path";
import { fileError } from "./file-error.ts";

/** The kinds of files that Bron reads, by their names. The server checks the content. */
const contentTypes: Readonly<Record<string, string>> = {
  ".csv": "text/csv",
  ".docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  ".eml": "message/rfc822",
  ".gif": "image/gif",
  ".htm": "text/html",
  ".html": "text/html",
  ".ics": "text/calendar",
  ".jpeg": "image/jpeg",
  ".jpg": "image/jpeg",
  ".json": "application/json",
  ".log": "text/plain",
  ".md": "text/markdown",
  ".pdf": "application/pdf",
  ".png": "image/png",
  ".txt": "text/plain",
  ".webp": "image/webp",
  ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
};

/** Uploads files and returns the ids of the uploads, in the order of the files. */
export async function uploadFiles(client: Client, paths: readonly string[]): Promise<string[]> {
  const files = await Promise.all(paths.map(openFile));
  const ids: string[] = [];
  for (const file of files) ids.push((await client.upload(file)).id);
  return ids;
}

/** All files are opened before the first upload, so that a wrong name uploads nothing. */
async function openFile(path: string) {
  const filename = basename(path);
  const contentType = contentTypes[extname(filename).toLowerCase()] ?? "text/plain";
  // `openAsBlob` does not say what is wrong with a path.
  const found = await stat(path).catch((error: unknown) => {
    throw fileError(error, path);
  });
  if (!found.isFile()) throw new BronError("invalid_input", `${path} is not a file.`);
  if (found.size === 0) throw new BronError("invalid_input", `${path} is empty.`);
  const bytes = await openAsBlob(path);
  return { filename, contentType, bytes };
}

import { BronError, cleanText, type PollWatch } from "@bron/core";
import { createHash } from "node:crypto";
import { htmlToText } from "../gmail/html-to-text.ts";
import { hasPage, type FetchedPage } from "../web/fetch-page.ts";
import { fetchFrom, type FetchSource } from "../web/fetch-from.ts";

const maxCharacters = 20_000;

/** Finds out whether the text of a web page has changed since the last poll. */
export function pageWatcher(source: FetchSource): PollWatch {
  return async ({ query, cursor, signal }) => {
    const page = await fetchFrom(source, query, signal);
    if (!hasPage(page.status))
      throw new BronError("tool_failed", `${query} answered with status ${page.status}.`);
    const text = textOf(page);
    const digest = createHash("sha256").update(text).digest("hex");
    return {
      cursor: digest,
      matches:
        cursor === digest
          ? []
          : [`The page ${query} has changed. It says now:\n${text.slice(0, maxCharacters)}`],
    };
  };
}

function textOf({ bytes, mediaType, charset }: FetchedPage): string {
  if (!/^(?:text\/|application\/(?:json|xml|xhtml))/u.test(mediaType))
    throw new BronError("invalid_arguments", "Bron can watch web pages and texts, and no files.");
  const content = decoderFor(charset).decode(bytes);
  const text = mediaType.includes("html") ? htmlToText(content) : content;
  return cleanText(text.trim());
}

function decoderFor(charset: string | undefined): TextDecoder {
  try {
    return new TextDecoder(charset ?? "utf-8");
  } catch {
    return new TextDecoder("utf-8");
  }
}

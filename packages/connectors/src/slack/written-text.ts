interface Written {
  readonly text?: string;
  readonly blocks?: unknown;
  readonly attachments?: unknown;
}

/**
 * In Slack's markup, and as people see it there: where there are blocks, the text beside them shows in notifications only, and
 * may say something else. Attachments, such as a message that was passed on, come after either.
 */
export function writtenText({ text = "", blocks, attachments }: Written): string {
  const shown = listOf(blocks).map(textOfBlock).filter(isSaid);
  return [...(shown.length > 0 ? shown : [text]), ...listOf(attachments).map(textOfAttachment)]
    .filter(isSaid)
    .join("\n");
}

function isSaid(part: string): boolean {
  return part.trim() !== "";
}

function textOfAttachment(attachment: unknown): string {
  const lines = ["pretext", "title", "text"].map((name) => wordOf(attachment, name));
  const fields = listOf(fieldOf(attachment, "fields")).map(
    (field) => `${wordOf(field, "title")}: ${wordOf(field, "value")}`,
  );
  const said = [...lines, ...fields, ...listOf(fieldOf(attachment, "blocks")).map(textOfBlock)]
    .filter(isSaid)
    .join("\n");
  return said === "" ? wordOf(attachment, "fallback") : said;
}

/** Lists of a rich text stand one below the other, what is within a line stays there. */
const oneBelowTheOther = new Set(["rich_text", "rich_text_list", "section", "context", "actions"]);

function textOfBlock(block: unknown): string {
  const kind = wordOf(block, "type");
  const text = fieldOf(block, "text");
  if (kind === "mrkdwn") return wordOf(block, "text");
  if (kind === "table")
    return listOf(fieldOf(block, "rows"))
      .map((row) => listOf(row).map(textOfBlock).join(" | "))
      .join("\n");
  if (kind === "text" || kind === "plain_text" || kind === "raw_text" || kind === "markdown")
    return escaped(wordOf(block, "text"));
  if (kind === "link")
    return wordOf(block, "text") === ""
      ? `<${wordOf(block, "url")}>`
      : `<${wordOf(block, "url")}|${escaped(wordOf(block, "text"))}>`;
  if (kind === "user") return `<@${wordOf(block, "user_id")}>`;
  if (kind === "channel") return `<#${wordOf(block, "channel_id")}>`;
  if (kind === "broadcast") return `<!${wordOf(block, "range")}>`;
  if (kind === "usergroup") return `<!subteam^${wordOf(block, "usergroup_id")}>`;
  if (kind === "date") return escaped(wordOf(block, "fallback"));
  if (kind === "emoji") return `:${wordOf(block, "name")}:`;
  if (kind === "image") return escaped(wordOf(block, "alt_text"));
  const inside = [
    ...(typeof text === "object" ? [text] : []),
    ...listOf(fieldOf(block, "fields")),
    ...listOf(fieldOf(block, "elements")),
  ].map(textOfBlock);
  return inside.filter((part) => part !== "").join(oneBelowTheOther.has(kind) ? "\n" : "");
}

/** Plain text in blocks is not marked up, and must not be read as if it were. */
function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && name in value
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
}

function wordOf(value: unknown, name: string): string {
  const word = fieldOf(value, name);
  return typeof word === "string" ? word : "";
}

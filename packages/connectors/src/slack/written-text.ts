interface Written {
  readonly text?: string;
  readonly blocks?: unknown;
  readonly attachments?: unknown;
}

/**
 * The message in Slack's markup, as people see it. If a message has blocks, its text appears only
 * in notifications and may say something else. Attachments, such as a shared message, come last.
 */
export function writtenText({ text = "", blocks, attachments }: Written): string {
  const shown = listOf(blocks).map(textOfBlock).filter(isNotBlank);
  return [...(shown.length > 0 ? shown : [text]), ...listOf(attachments).map(textOfAttachment)]
    .filter(isNotBlank)
    .join("\n");
}

function isNotBlank(part: string): boolean {
  return part.trim() !== "";
}

function textOfAttachment(attachment: unknown): string {
  const lines = ["pretext", "title", "text"].map((name) => stringOf(attachment, name));
  const fields = listOf(fieldOf(attachment, "fields")).map(
    (field) => `${stringOf(field, "title")}: ${stringOf(field, "value")}`,
  );
  const text = [...lines, ...fields, ...listOf(fieldOf(attachment, "blocks")).map(textOfBlock)]
    .filter(isNotBlank)
    .join("\n");
  return text === "" ? stringOf(attachment, "fallback") : text;
}

/** Blocks whose elements go on separate lines. Elements of other blocks stay on one line. */
const multiLineBlocks = new Set(["rich_text", "rich_text_list", "section", "context", "actions"]);

function textOfBlock(block: unknown): string {
  const kind = stringOf(block, "type");
  const text = fieldOf(block, "text");
  if (kind === "mrkdwn") return stringOf(block, "text");
  if (kind === "table")
    return listOf(fieldOf(block, "rows"))
      .map((row) => listOf(row).map(textOfBlock).join(" | "))
      .join("\n");
  if (kind === "text" || kind === "plain_text" || kind === "raw_text" || kind === "markdown")
    return escaped(stringOf(block, "text"));
  if (kind === "link")
    return stringOf(block, "text") === ""
      ? `<${stringOf(block, "url")}>`
      : `<${stringOf(block, "url")}|${escaped(stringOf(block, "text"))}>`;
  if (kind === "user") return `<@${stringOf(block, "user_id")}>`;
  if (kind === "channel") return `<#${stringOf(block, "channel_id")}>`;
  if (kind === "broadcast") return `<!${stringOf(block, "range")}>`;
  if (kind === "usergroup") return `<!subteam^${stringOf(block, "usergroup_id")}>`;
  if (kind === "date") return escaped(stringOf(block, "fallback"));
  if (kind === "emoji") return `:${stringOf(block, "name")}:`;
  if (kind === "image") return escaped(stringOf(block, "alt_text"));
  const inside = [
    ...(typeof text === "object" ? [text] : []),
    ...listOf(fieldOf(block, "fields")),
    ...listOf(fieldOf(block, "elements")),
  ].map(textOfBlock);
  return inside.filter((part) => part !== "").join(multiLineBlocks.has(kind) ? "\n" : "");
}

/** Escapes plain text of a block, because it is not markup and must not be read as markup. */
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

function stringOf(value: unknown, name: string): string {
  const word = fieldOf(value, name);
  return typeof word === "string" ? word : "";
}

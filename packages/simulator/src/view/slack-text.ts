interface SlackNames {
  readonly user: (id: string) => string | undefined;
  readonly channel: (id: string) => string | undefined;
}

/** Renders a message like Slack: names for ids, and link texts with their URLs. */
export function slackText(text: string, names: SlackNames): string {
  const shown = text.replaceAll(/<([^<>]+)>/g, (_, inner: string) => {
    const [target = "", label = ""] = inner.split("|", 2);
    const id = target.slice(1);
    if (target.startsWith("@")) return `@${names.user(id) ?? id}`;
    if (target.startsWith("#")) return `#${label || (names.channel(id) ?? id)}`;
    if (target.startsWith("!")) return `@${label.replace(/^@/, "") || id.split("^", 1).join("")}`;
    const address = target.replace(/^mailto:/, "");
    return label === "" || label === address ? address : `${label} (${address})`;
  });
  return shown.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}

/** A text in quotation marks, or in code marks if the page would read it as Markdown. */
export function quoted(text: string): string {
  return isMarkdown(text) ? `\`${text}\`` : `"${text}"`;
}

/** A text as it is, unless the page would read it as Markdown. */
export function literal(text: string): string {
  return isMarkdown(text) ? `\`${text}\`` : text;
}

function isMarkdown(text: string): boolean {
  return /[*_~][^*_~]*[*_~]|<\w/.test(text) && !/[`\n]/.test(text);
}

/** Nothing of these is text that a person reads. */
export const droppedTags: ReadonlySet<string> = new Set(["head", "script", "style", "template", "iframe", "noembed", "noframes", "audio", "video", "canvas", "map", "object", "title", "desc", "metadata", "datalist", "link", "meta", "base"]);

/** A blank line before and after. */
export const gapTags: ReadonlySet<string> = new Set(["p", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "pre", "table", "section", "article", "header", "footer", "figure", "fieldset", "hr"]);

/** Line breaks count. */
export const ownLineTags: ReadonlySet<string> = new Set(["pre", "textarea", "xmp", "listing", "plaintext"]);

/** A line of their own. */
export const blockTags: ReadonlySet<string> = new Set([
  ...gapTags,
  ...ownLineTags,
  "html", "body", "div", "main", "nav", "aside", "address", "center", "details", "summary", "dialog", "dl", "dt", "dd", "dir", "menu", "figcaption", "form", "legend", "option", "optgroup", "select", "caption", "thead", "tbody", "tfoot", "tr", "td", "th", "hgroup", "search",
]);

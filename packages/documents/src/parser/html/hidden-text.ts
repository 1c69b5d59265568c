import { isText, nodesBelow, type HtmlElement } from "./parse-html.ts";
import { droppedTags } from "./tags.ts";

export interface HiddenText {
  comment(text: string): void;
  text(text: string): void;
  element(element: HtmlElement): void;
  /** A warning, or undefined if nothing was hidden. */
  warning(): string | undefined;
}

const excerptCharacters = 200;

/** Counts text that a person would not see, and keeps an excerpt. */
export function createHiddenText(): HiddenText {
  let characters = 0;
  let excerpt = "";
  const add = (text: string) => {
    const words = text
      .replaceAll("\u034f", " ")
      .replace(/[\s\u00ad\u200b-\u200f\u2060\ufeff]+/g, " ")
      .trim();
    if (words === "") return;
    characters += words.length;
    if (excerpt.length < excerptCharacters)
      excerpt = `${excerpt} ${words}`.trim().slice(0, excerptCharacters);
  };
  return {
    text: add,
    // Conditional comments for Outlook are in every newsletter and contain markup.
    comment: (text) => {
      if (!/^\s*\[(?:if|endif)/i.test(text) && !/^<!\[endif/i.test(text)) add(text);
    },
    element(element) {
      for (const node of nodesBelow(element, ({ tagName }) => !droppedTags.has(tagName))) {
        if (isText(node)) add(node.value);
      }
    },
    warning() {
      if (characters === 0) return undefined;
      return `Hidden text was left out (${characters.toLocaleString("en")} characters that a person would not see). The hidden text starts with: "${excerpt}"`;
    },
  };
}

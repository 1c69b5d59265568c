import { h } from "./dom.ts";

/** Shows an answer: paragraphs, lists, bold text and code. Links stay text: a page may have made the model write them. */
export function messageText(content: string): DocumentFragment {
  const fragment = document.createDocumentFragment();
  let list: HTMLElement | undefined;
  let paragraph: HTMLElement | undefined;
  let code: HTMLElement | undefined;
  for (const line of content.replaceAll("\r", "").split("\n")) {
    if (line.startsWith("```")) {
      if (code) code = undefined;
      else fragment.append(h("pre", { tabindex: "0" }, (code = h("code"))));
      [list, paragraph] = [undefined, undefined];
      continue;
    }
    if (code) {
      code.append(`${code.textContent === "" ? "" : "\n"}${line}`);
      continue;
    }
    const item = /^\s{0,6}(?:[-*•]|(\d{1,3})[.)]) (.*)$/.exec(line);
    const heading = /^#{1,6} (.*)$/.exec(line);
    if (item) {
      const tag = item[1] === undefined ? "ul" : "ol";
      if (list?.localName !== tag) fragment.append((list = h(tag)));
      list.append(inline(h("li", { dir: "auto" }), item[2] ?? ""));
      paragraph = undefined;
    } else if (line.trim() === "") [list, paragraph] = [undefined, undefined];
    else {
      list = undefined;
      const isNew = paragraph === undefined || heading !== null;
      if (isNew) fragment.append((paragraph = h("p", { dir: "auto" })));
      else paragraph?.append(h("br"));
      if (paragraph) inline(paragraph, heading ? `**${heading[1]}**` : line);
      if (heading) paragraph = undefined;
    }
  }
  return fragment;
}

function inline(into: HTMLElement, text: string): HTMLElement {
  for (const piece of text.split(/(\*\*[^*\n]{1,500}\*\*|`[^`\n]{1,500}`)/)) {
    if (piece.startsWith("**") && piece.length > 4)
      into.append(h("strong", {}, piece.slice(2, -2)));
    else if (piece.startsWith("`") && piece.length > 2)
      into.append(h("code", {}, piece.slice(1, -1)));
    else if (piece !== "") into.append(piece);
  }
  return into;
}

import { findDataTables } from "./find-tables.ts";
import { createHiddenText, type HiddenText } from "./hidden-text.ts";
import { createHtmlWriter, type HtmlSink } from "./html-writer.ts";
import { isComment, isElement, isText, type HtmlParent } from "./parse-html.ts";
import { splitTags } from "./tag-characters.ts";
import { droppedTags } from "./tags.ts";
import { isUnseen, type Appearance, type PageVisibility } from "./visibility.ts";

interface Open {
  readonly parent: HtmlParent;
  at: number;
  readonly appearance: Appearance;
  readonly close: () => void;
}

const nodesBetweenReports = 20_000;

interface RenderTarget extends HtmlSink {
  progress(nodes: number): void;
}

/** Writes the visible text without recursion, and returns the hidden text. */
export function renderHtml(
  root: HtmlParent,
  visibility: PageVisibility,
  target: RenderTarget,
): HiddenText {
  const writer = createHtmlWriter(findDataTables(root), target);
  const hidden = createHiddenText();
  const open: Open[] = [{ parent: root, at: 0, appearance: visibility.start, close: () => {} }];
  let nodes = 0;
  for (let top = open.at(-1); top && writer.hasRoom(); top = open.at(-1)) {
    const node = top.parent.childNodes[top.at++];
    if (++nodes % nodesBetweenReports === 0) target.progress(nodes);
    if (!node) {
      top.close();
      open.pop();
    } else if (isText(node)) {
      const { seen, unseen } = splitTags(node.value);
      (isUnseen(top.appearance) ? hidden : writer).text(seen);
      hidden.text(unseen);
    } else if (isComment(node)) hidden.comment(node.data);
    else if (isElement(node) && !droppedTags.has(node.tagName)) {
      const { isHidden, appearance } = visibility.judge(node, top.appearance);
      if (isHidden) hidden.element(node);
      else open.push({ parent: node, at: 0, appearance, close: writer.enter(node) });
    }
  }
  return hidden;
}

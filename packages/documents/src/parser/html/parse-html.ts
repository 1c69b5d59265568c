import {
  defaultTreeAdapter,
  parse,
  type DefaultTreeAdapterMap,
  type DefaultTreeAdapterTypes,
  type TreeAdapter,
} from "parse5";

type HtmlNode = DefaultTreeAdapterTypes.ChildNode;
export type HtmlElement = DefaultTreeAdapterTypes.Element;
export type HtmlParent = DefaultTreeAdapterTypes.ParentNode;

interface ParsedHtml {
  readonly document: HtmlParent;
  /** Whether the page had more elements than the limit. */
  readonly isCut: boolean;
}

/** Each takes about 600 bytes. A long page has some ten thousand. */
const maxElements = 250_000;
const elementsBetweenReports = 50_000;
const textNodeCharacters = 32_768;

/** Builds the tree like a browser, up to a maximum number of elements. */
export function parseHtml(html: string, onProgress: (elements: number) => void): ParsedHtml {
  const tooMany = new RangeError("too many elements");
  const document = defaultTreeAdapter.createDocument();
  const texts = createTexts();
  let elements = 0;
  const treeAdapter: TreeAdapter<DefaultTreeAdapterMap> = {
    ...defaultTreeAdapter,
    createDocument: () => document,
    createElement(tagName, namespace, attributes) {
      elements += 1;
      if (elements > maxElements) throw tooMany;
      if (elements % elementsBetweenReports === 0) onProgress(elements);
      return defaultTreeAdapter.createElement(tagName, namespace, attributes);
    },
    insertText: texts.insert,
  };
  try {
    // A mail or file is read without scripts, so noscript content is shown.
    parse(html, { treeAdapter, scriptingEnabled: false });
    return { document, isCut: false };
  } catch (error) {
    if (error !== tooMany) throw error;
    return { document, isCut: true };
  } finally {
    texts.end();
  }
}

/**
 * Collects text pieces and joins them once. The parser delivers text word by word, and string
 * concatenation would keep each word as a separate object.
 */
function createTexts() {
  let node: DefaultTreeAdapterTypes.TextNode | undefined;
  let parts: string[] = [];
  let size = 0;
  const end = () => {
    if (node) node.value = parts.join("");
    node = undefined;
  };
  const insert = (parent: HtmlParent, text: string) => {
    if (!node || parent.childNodes.at(-1) !== node || size > textNodeCharacters) {
      end();
      node = defaultTreeAdapter.createTextNode("");
      [parts, size] = [[], 0];
      defaultTreeAdapter.appendChild(parent, node);
    }
    parts.push(text);
    size += text.length;
  };
  return { insert, end };
}

export const isText = defaultTreeAdapter.isTextNode;
export const isElement = defaultTreeAdapter.isElementNode;
export const isComment = defaultTreeAdapter.isCommentNode;

export function attribute({ attrs }: HtmlElement, name: string): string | undefined {
  return attrs.find((candidate) => candidate.name === name)?.value;
}

/**
 * All descendants in document order, without recursion, because a tree may be a hundred thousand
 * levels deep.
 */
export function* nodesBelow(
  parent: HtmlParent,
  enters: (element: HtmlElement) => boolean = () => true,
): Generator<HtmlNode> {
  const open: { readonly nodes: readonly HtmlNode[]; at: number }[] = [
    { nodes: parent.childNodes, at: 0 },
  ];
  for (let top = open.at(-1); top; top = open.at(-1)) {
    const node = top.nodes[top.at++];
    if (!node) {
      open.pop();
      continue;
    }
    yield node;
    if (isElement(node) && enters(node)) open.push({ nodes: node.childNodes, at: 0 });
  }
}

import { attribute, isElement, type HtmlElement, type HtmlParent } from "./parse-html.ts";

interface TableFacts {
  columns: number;
  hasTableInside: boolean;
}

/**
 * Finds tables that contain data. Mails use tables for layout too. A table that contains another
 * one, has a single column, or has a presentation role is only layout.
 */
export function findDataTables(root: HtmlParent): ReadonlySet<HtmlElement> {
  const facts = new Map<HtmlElement, TableFacts>();
  const open: {
    readonly parent: HtmlParent;
    readonly table: HtmlElement | undefined;
    at: number;
  }[] = [{ parent: root, table: undefined, at: 0 }];
  for (let top = open.at(-1); top; top = open.at(-1)) {
    const node = top.parent.childNodes[top.at++];
    if (!node) open.pop();
    else if (isElement(node)) {
      const table = node.tagName === "table" ? node : top.table;
      note(node, top.table, facts);
      open.push({ parent: node, table, at: 0 });
    }
  }
  return new Set(
    [...facts]
      .filter(
        ([table, { columns, hasTableInside }]) =>
          columns > 1 && !hasTableInside && !isPresentation(table),
      )
      .map(([table]) => table),
  );
}

function note(
  element: HtmlElement,
  outer: HtmlElement | undefined,
  facts: Map<HtmlElement, TableFacts>,
): void {
  const outerFacts = outer && facts.get(outer);
  if (element.tagName === "table") {
    if (outerFacts) outerFacts.hasTableInside = true;
    facts.set(element, { columns: 0, hasTableInside: false });
  }
  if (element.tagName === "tr" && outerFacts) {
    const cells = element.childNodes.filter(
      (child) => isElement(child) && (child.tagName === "td" || child.tagName === "th"),
    );
    outerFacts.columns = Math.max(outerFacts.columns, cells.length);
  }
}

function isPresentation(table: HtmlElement): boolean {
  const role = attribute(table, "role")?.toLowerCase();
  return role === "presentation" || role === "none";
}

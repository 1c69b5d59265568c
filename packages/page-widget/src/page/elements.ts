/** Names elements by short ids that are never used again, not even after the page is loaded again. */
export interface ElementIds {
  idOf(element: Element): string;
  /** The element itself. Undefined if it has left the page. Never another element. */
  find(id: string): Element | undefined;
  /** The number of the last id. The next page of the same tab counts on from here. */
  last(): number;
}

export function createElementIds(after = 0): ElementIds {
  const ids = new WeakMap<Element, string>();
  const elements = new Map<string, WeakRef<Element>>();
  let last = after;
  return {
    idOf(element) {
      const known = ids.get(element);
      if (known !== undefined) return known;
      last += 1;
      const id = `e${last}`;
      ids.set(element, id);
      elements.set(id, new WeakRef(element));
      return id;
    },
    find(id) {
      const element = elements.get(id)?.deref();
      if (element === undefined) elements.delete(id);
      return element?.isConnected ? element : undefined;
    },
    last: () => last,
  };
}

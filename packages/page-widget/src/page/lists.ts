const listRoles = /^(?:list|listbox|table|rows|grid|feed|tree|rowgroup|menu)$/;
const firstItems = 8;
const pageOfItems = 25;
/** From so many alike children on, a box counts as a list. */
const manyAlike = 16;

/** The items of a list. Undefined if the element is none. */
export function listItems(element: Element, role: string): readonly Element[] | undefined {
  const { children } = element;
  if (listRoles.test(role)) {
    // A table contains its rows in groups.
    if (element.localName === "table") {
      const rows = (element as HTMLTableElement).rows;
      return rows.length > 0 ? [...rows] : undefined;
    }
    return children.length > 0 ? [...children] : undefined;
  }
  if (children.length < manyAlike) return undefined;
  const [tag, other] = [children[0]?.localName, children[children.length >> 1]?.localName];
  return tag === other && tag === children[children.length - 1]?.localName
    ? [...children]
    : undefined;
}

/** The positions of the first items, of those on the screen, and of the one that has the focus. */
export function itemsToShow(
  items: readonly Element[],
  offset: number | undefined,
  frameTop: number,
): ReadonlySet<number> {
  const shown = new Set<number>();
  const take = (from: number, count: number) => {
    for (let index = from; index < Math.min(items.length, from + count); index++) shown.add(index);
  };
  if (offset !== undefined) {
    take(Math.max(0, offset), pageOfItems);
    return shown;
  }
  if (items.length <= pageOfItems) {
    take(0, items.length);
    return shown;
  }
  take(0, firstItems);
  const start = firstOnScreen(items, frameTop);
  for (let index = start; index < items.length && shown.size < pageOfItems + firstItems; index++) {
    if ((items[index]?.getBoundingClientRect().top ?? 0) + frameTop > innerHeight) break;
    shown.add(index);
  }
  const active = items[0]?.ownerDocument.activeElement ?? null;
  if (active && items[0]?.parentElement?.contains(active)) {
    const focused = items.findIndex((item) => item.contains(active));
    if (focused >= 0) shown.add(focused);
  }
  return shown;
}

/** Items follow each other, so half of the rest can be left out at each look. */
function firstOnScreen(items: readonly Element[], frameTop: number): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const bottom = (items[middle]?.getBoundingClientRect().bottom ?? 0) + frameTop;
    if (bottom <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

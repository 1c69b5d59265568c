const smallestPx = 3;

/** Whether the element has a box that its style does not hide. Its ancestors are checked before. */
export function isRendered(element: Element): boolean {
  if (element.getAttribute("aria-hidden") === "true") return false;
  if (element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return true;
  // Such a box has no box of its own, but its children do.
  return getStyle(element).display === "contents" && !element.hasAttribute("hidden");
}

export function getStyle(element: Element): CSSStyleDeclaration {
  return (element.ownerDocument.defaultView ?? window).getComputedStyle(element);
}

export interface Place {
  readonly isInView: boolean;
  /** Pixels between the box and what is on the screen. */
  readonly distance: number;
}

/** Where a box is. Undefined if people cannot see it: too small, or where no scrolling reaches. */
export function placeOf(element: Element, frame?: DOMRect): Place | undefined {
  const { width, height, top, bottom, left, right } = element.getBoundingClientRect();
  if (width < smallestPx || height < smallestPx) return undefined;
  const view = element.ownerDocument.defaultView ?? window;
  const [x, y] = [view.scrollX, view.scrollY];
  const isRightToLeft = view.document.documentElement.dir === "rtl" || x < 0;
  if (bottom + y <= 0 || (right + x <= 0 && !isRightToLeft)) return undefined;
  if (left > 50_000 || (isRightToLeft && right + x < -50_000)) return undefined;
  const offset = frame?.top ?? 0;
  const distance = Math.max(0, top + offset - innerHeight, -(bottom + offset));
  const isBeside = right + (frame?.left ?? 0) <= 0 || left + (frame?.left ?? 0) >= innerWidth;
  return { isInView: distance === 0 && !isBeside, distance };
}

/** Whether text is too small to read, has the color of its ground, or is cut to nothing. */
export function isUnreadable(element: Element): boolean {
  const style = getStyle(element);
  if (Number.parseFloat(style.fontSize) < 5) return true;
  const color = parseColor(style.color);
  if (color.alpha < 0.05) return style.backgroundClip !== "text";
  for (let at: Element | null = element; at; at = at.parentElement) {
    const own = getStyle(at);
    if (own.backgroundImage !== "none") return false;
    const ground = parseColor(own.backgroundColor);
    if (ground.alpha > 0.9) return isSameColor(color.channels, ground.channels);
  }
  return isSameColor(color.channels, [255, 255, 255]) && !isDarkScheme();
}

function isDarkScheme(): boolean {
  return (
    getComputedStyle(document.documentElement).colorScheme.includes("dark") &&
    matchMedia("(prefers-color-scheme: dark)").matches
  );
}

/** A box of one pixel that hides what is larger: text that only screen readers get. */
export function isClipped(element: Element): boolean {
  const { width, height } = element.getBoundingClientRect();
  if (width >= smallestPx && height >= smallestPx) return false;
  const style = getStyle(element);
  return style.overflow !== "visible" && style.display !== "contents";
}

function parseColor(text: string): { channels: readonly number[]; alpha: number } {
  const [red = 0, green = 0, blue = 0, alpha = 1] = (text.match(/[\d.]+/g) ?? []).map(Number);
  return { channels: [red, green, blue], alpha };
}

function isSameColor(one: readonly number[], other: readonly number[]): boolean {
  return one.every((channel, index) => Math.abs(channel - (other[index] ?? 0)) < 6);
}

const smallestPx = 3;

/** Whether the element has a box that its style does not hide. Its ancestors are checked before. */
export function isRendered(element: Element): boolean {
  if (element.getAttribute("aria-hidden") === "true") return false;
  if (element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return true;
  // Such a box has no box of its own, but its children do.
  return getStyle(element).display === "contents" && !element.hasAttribute("hidden");
}

function getStyle(element: Element): CSSStyleDeclaration {
  return (element.ownerDocument.defaultView ?? window).getComputedStyle(element);
}

export interface Place {
  readonly isInView: boolean;
  /** Pixels between the box and what is on the screen. */
  readonly distance: number;
}

/** What is on the screen, measured once for each look and document. */
export interface Screen {
  readonly scrollX: number;
  readonly scrollY: number;
  readonly isRightToLeft: boolean;
  /** Where the document is on the screen: a frame has an offset. */
  readonly left: number;
  readonly top: number;
}

export function measureScreen(root: Document, frame?: DOMRect): Screen {
  const { scrollX, scrollY } = root.defaultView ?? window;
  const isRightToLeft = root.documentElement.dir === "rtl" || scrollX < 0;
  return { scrollX, scrollY, isRightToLeft, left: frame?.left ?? 0, top: frame?.top ?? 0 };
}

/** Where a box is. Undefined if people cannot see it: too small, or where no scrolling reaches. */
export function placeOf(box: DOMRect, screen: Screen): Place | undefined {
  const { width, height, top, bottom, left, right } = box;
  if (width < smallestPx || height < smallestPx) return undefined;
  const { scrollX, scrollY, isRightToLeft } = screen;
  if (bottom + scrollY <= 0 || (right + scrollX <= 0 && !isRightToLeft)) return undefined;
  if (left > 50_000 || (isRightToLeft && right + scrollX < -50_000)) return undefined;
  const distance = Math.max(0, top + screen.top - innerHeight, -(bottom + screen.top));
  const isBeside = right + screen.left <= 0 || left + screen.left >= innerWidth;
  return { isInView: distance === 0 && !isBeside, distance };
}

/** Whether text is too small to read, has the color of its ground, or is cut to nothing. */
export function createReadability(): (element: Element) => boolean {
  const grounds = new Map<Element, string | undefined>();
  /** The color behind an element. Undefined for an image, or for nothing. */
  const groundOf = (element: Element): string | undefined => {
    const known = grounds.get(element);
    if (known !== undefined || grounds.has(element)) return known;
    const { backgroundImage, backgroundColor } = getStyle(element);
    const isPlain = backgroundImage === "none";
    const isSolid = isPlain && parseColor(backgroundColor).alpha > 0.9;
    const parent = element.parentElement;
    const inherited = !isPlain ? "image" : parent ? groundOf(parent) : undefined;
    const ground = isSolid ? backgroundColor : inherited;
    grounds.set(element, ground);
    return ground;
  };
  return (element) => {
    const style = getStyle(element);
    if (Number.parseFloat(style.fontSize) < 5) return false;
    const color = parseColor(style.color);
    if (color.alpha < 0.05) return style.backgroundClip === "text";
    const ground = groundOf(element);
    if (ground === "image") return true;
    const behind = ground ?? (isDarkScheme() ? "rgb(18, 18, 18)" : "rgb(255, 255, 255)");
    return !isSameColor(color.channels, parseColor(behind).channels);
  };
}

function isDarkScheme(): boolean {
  return (
    getComputedStyle(document.documentElement).colorScheme.includes("dark") &&
    matchMedia("(prefers-color-scheme: dark)").matches
  );
}

/** A box of one pixel that hides what is larger: text that only screen readers get. */
export function isClipped(element: Element, { width, height }: DOMRect): boolean {
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

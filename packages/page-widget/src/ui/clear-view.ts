const neededMs = 500;

/** Whether people could see a box for half a second, with nothing over it. */
export interface ClearView {
  isClear(): boolean;
  close(): void;
}

interface VisibilityEntry extends IntersectionObserverEntry {
  readonly isVisible?: boolean;
}

/**
 * Browsers that track visibility notice what covers a box, even if it lets clicks through. In
 * others, the points of the box are tested, which notices less.
 */
export function observeClearView(
  element: HTMLElement,
  host: Element,
  onChange: (isCovered: boolean) => void,
): ClearView {
  let since: number | undefined;
  let isTracked = false;
  let wasCovered: boolean | undefined;
  let isUncovered = true;
  const note = (isVisible: boolean) => {
    isUncovered = isVisible;
    since = isVisible ? (since ?? performance.now()) : undefined;
    if (wasCovered !== !isVisible) onChange(!isVisible);
    wasCovered = !isVisible;
  };
  const observer = new IntersectionObserver(
    (entries: VisibilityEntry[]) => {
      const last = entries.at(-1);
      if (!last) return;
      isTracked = typeof last.isVisible === "boolean" && supportsTracking;
      note(isTracked ? last.isVisible === true : last.isIntersecting && isOnTop(element, host));
    },
    { threshold: [0.98], trackVisibility: true, delay: 100 } as IntersectionObserverInit,
  );
  observer.observe(element);
  const timer = setInterval(() => {
    if (!isTracked) return note(isOnTop(element, host));
    if (isUncovered) return;
    // A browser that draws nothing new does not look again by itself.
    observer.unobserve(element);
    observer.observe(element);
  }, 250);
  return {
    isClear: () =>
      isUncovered &&
      since !== undefined &&
      performance.now() - since >= neededMs &&
      isOnTop(element, host),
    close() {
      observer.disconnect();
      clearInterval(timer);
    },
  };
}

const supportsTracking =
  "IntersectionObserverEntry" in globalThis && "isVisible" in IntersectionObserverEntry.prototype;

/** From outside, every point of the chat belongs to its host. */
function isOnTop(element: HTMLElement, host: Element): boolean {
  const { left, top, width, height } = element.getBoundingClientRect();
  if (width === 0 || height === 0) return false;
  return [0.1, 0.5, 0.9].every((share) => {
    const found = document.elementFromPoint(left + width * share, top + height * share);
    return found === host || (found?.contains(host) === true && found.shadowRoot !== null);
  });
}

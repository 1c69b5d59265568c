import { h } from "./dom.ts";

const margin = 5;

/** Frames the element that a question is about, wherever it moves. */
export function showMarker(element: Element, root: ShadowRoot): { remove(): void } {
  const marker = h("div", { class: "marker", "aria-hidden": "true" });
  root.append(marker);
  // On a phone, the question covers the lower half of the page.
  const block = innerWidth <= 520 ? "center" : "nearest";
  element.scrollIntoView({ block, behavior: "instant" });
  const place = () => {
    const { left, top, width, height } = element.getBoundingClientRect();
    marker.style.left = `${left - margin}px`;
    marker.style.top = `${top - margin}px`;
    marker.style.width = `${width + 2 * margin}px`;
    marker.style.height = `${height + 2 * margin}px`;
    marker.style.visibility = width > 0 && element.isConnected ? "visible" : "hidden";
    frame = requestAnimationFrame(place);
  };
  let frame = requestAnimationFrame(place);
  return {
    remove() {
      cancelAnimationFrame(frame);
      marker.remove();
    },
  };
}

const quietMs = 120;
const shortestMs = 60;
const longestMs = 1_500;

/** Waits until the page has not changed for a moment, or for a second and a half. */
export function untilQuiet(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const start = performance.now();
    let lastChange = start;
    const observer = new MutationObserver(() => (lastChange = performance.now()));
    observer.observe(document, {
      subtree: true,
      childList: true,
      characterData: true,
      attributes: true,
      attributeFilter: ["class", "hidden", "style", "open", "value", "disabled", "aria-expanded"],
    });
    const look = () => {
      const now = performance.now();
      const isQuiet = now - lastChange >= quietMs && now - start >= shortestMs;
      if (!isQuiet && now - start < longestMs && !signal.aborted) return void setTimeout(look, 30);
      observer.disconnect();
      resolve();
    };
    setTimeout(look, shortestMs);
  });
}

import { useState } from "react";

const key = "bron:guide";

/** Whether the setup guide is shown. The browser remembers that it was dismissed. */
export function useGuide(): {
  readonly isShown: boolean;
  dismiss(): void;
  show(): void;
} {
  const [isShown, setShown] = useState(() => read() !== "dismissed");
  const set = (shown: boolean) => {
    setShown(shown);
    try {
      if (shown) localStorage.removeItem(key);
      else localStorage.setItem(key, "dismissed");
    } catch {
      // Without storage the guide returns with the next visit.
    }
  };
  return { isShown, dismiss: () => set(false), show: () => set(true) };
}

function read(): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

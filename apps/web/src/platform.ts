/** Shortcuts use ⌘ on Apple devices and Ctrl elsewhere. */
export const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);

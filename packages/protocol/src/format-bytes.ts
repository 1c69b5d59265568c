const kilobyte = 1_024;

/** "512 B", "1.5 KB", "20 MB". One decimal place at most. */
export function formatBytes(bytes: number): string {
  if (bytes < kilobyte) return `${bytes} B`;
  const kilobytes = round(bytes / kilobyte);
  return kilobytes < kilobyte ? `${kilobytes} KB` : `${round(bytes / kilobyte ** 2)} MB`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** How deep a file lies in others, and what all of them together may still take. */
export interface Nesting {
  readonly depth: number;
  readonly budget: Budget;
}

interface Budget {
  files: number;
  bytes: number;
  /** Recognising text takes seconds. */
  images: number;
}

const maxDepth = 3;
const MB = 1024 * 1024;

export function beginNesting(): Nesting {
  return { depth: 0, budget: { files: 50, bytes: 40 * MB, images: 5 } };
}

/** One level further in, paid for; or the reason why not. */
export function goDeeper(
  { depth, budget }: Nesting,
  file: { readonly byteCount: number; readonly isImage: boolean },
): Nesting | string {
  if (depth >= maxDepth) return `It lies ${depth + 1} files deep, and ${maxDepth} are the most.`;
  if (budget.files <= 0) return "It was not read: the mail carries too many files.";
  if (budget.bytes < file.byteCount)
    return "It was not read: what the mail carries is too large in all.";
  if (file.isImage && budget.images <= 0)
    return "It was not read: the mail carries too many images.";
  budget.files -= 1;
  budget.bytes -= file.byteCount;
  if (file.isImage) budget.images -= 1;
  return { depth: depth + 1, budget };
}

/** How deeply a file is nested, and the budget that all nested files share. */
export interface Nesting {
  readonly depth: number;
  readonly budget: Budget;
}

interface Budget {
  files: number;
  bytes: number;
  /** Limited, because text recognition takes seconds per image. */
  images: number;
}

const maxDepth = 3;
const MB = 1024 * 1024;

export function createNesting(): Nesting {
  return { depth: 0, budget: { files: 50, bytes: 40 * MB, images: 5 } };
}

/** Charges the budget and returns the next level, or the reason why not. */
export function goDeeper(
  { depth, budget }: Nesting,
  file: { readonly byteCount: number; readonly isImage: boolean },
): Nesting | string {
  if (depth >= maxDepth)
    return `It was not read: it is nested ${depth + 1} files deep (the limit is ${maxDepth}).`;
  if (budget.files <= 0) return "It was not read: the email has too many attachments.";
  if (budget.bytes < file.byteCount)
    return "It was not read: the attachments are too large in total.";
  if (file.isImage && budget.images <= 0) return "It was not read: the email has too many images.";
  budget.files -= 1;
  budget.bytes -= file.byteCount;
  if (file.isImage) budget.images -= 1;
  return { depth: depth + 1, budget };
}

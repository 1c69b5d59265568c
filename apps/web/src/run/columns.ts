/** The width of a conversation: one column to read, or two on a wide screen. */
export const conversationWidth = "mx-auto w-full max-w-3xl px-4 sm:px-6 wide:max-w-[76rem]";

/** The result and, beside it, what Bron did. */
export const twoColumns =
  "grid grid-cols-1 wide:grid-cols-[minmax(0,1fr)_minmax(18rem,21rem)] wide:gap-x-10";

/** Both have the same room while all steps are unfolded. */
export const evenColumns = "grid grid-cols-1 wide:grid-cols-2 wide:gap-x-10";

const forms = [
  ["The user declined", "You declined"],
  ["The user answered", "You replied"],
  ["The user undid", "You undid"],
  ["The user took their", "You took your"],
] as const;

/**
 * Rewrites a sentence of a log before version 6 for the owner. These logs contain only the words
 * that the model got: "The user declined", or in a summary "gmail_send: The user declined".
 */
export function addressOwner(sentence: string): string {
  const start = /^\w{1,100}: The user /.test(sentence) ? sentence.indexOf("The user ") : 0;
  for (const [model, owner] of forms)
    if (sentence.startsWith(model, start))
      return `${sentence.slice(0, start)}${owner}${sentence.slice(start + model.length)}`;
  return sentence;
}

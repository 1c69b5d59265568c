export const channel = "bron_changes";

/** Sent instead of a seq for a change of the partial text. */
export const partialTextMark = -1;

/** Any client may send a notification, so unknown messages are ignored. */
export function parseChangeMessage(
  payload: string | undefined,
  sender: string,
): { isOwn: boolean; changes: [string, number][] } {
  try {
    const [from, changes] = JSON.parse(payload ?? "") as [unknown, unknown];
    if (from === sender || !Array.isArray(changes)) return { isOwn: from === sender, changes: [] };
    return {
      isOwn: false,
      changes: changes.filter(
        (change): change is [string, number] =>
          Array.isArray(change) && typeof change[0] === "string" && typeof change[1] === "number",
      ),
    };
  } catch {
    return { isOwn: false, changes: [] };
  }
}

/**
 * Moves the focus to the next or the previous row of the page's list, which Enter then opens. Rows
 * mark what takes the focus with `data-row`. Without a focus in the list, it starts at the first.
 */
export function moveRow(step: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>("main [data-row]")];
  const at = rows.findIndex(
    (row) => row === document.activeElement || row.closest("li")?.contains(document.activeElement),
  );
  const next = rows[at === -1 ? 0 : Math.min(Math.max(at + step, 0), rows.length - 1)];
  next?.focus();
  next?.closest("li")?.scrollIntoView({ block: "nearest" });
}

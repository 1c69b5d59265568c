/** Marks what is printed. styles.css hides everything else on paper. */
const printed = "data-printed";

/** Prints one element of the page. */
export function printElement(element: HTMLElement): void {
  element.setAttribute(printed, "");
  addEventListener("afterprint", () => element.removeAttribute(printed), { once: true });
  print();
}

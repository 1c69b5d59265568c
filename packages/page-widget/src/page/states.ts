import { isField, publicUrl } from "./secrets.ts";
import { clean, isDisabled, isEditable } from "./roles.ts";

const maxValue = 200;
const maxOptions = 12;

/** The state of something that people act on, in words. Never call it for a secret field. */
export function stateOf(element: Element): string {
  const words = [fieldState(element), linkState(element), ariaState(element)];
  if (isDisabled(element)) words.push("disabled");
  return words.filter((word) => word !== "").join(", ");
}

function fieldState(element: Element): string {
  if (isEditable(element)) return valueWords(element.textContent ?? "");
  if (!isField(element)) return "";
  const field = element;
  if (field.type === "checkbox" || field.type === "radio")
    return field.checked ? "checked" : "not checked";
  if (field.localName === "select") return selectState(element as unknown as HTMLSelectElement);
  if (/^(?:submit|button|reset|image)$/.test(field.type)) return "";
  const words = [valueWords(field.value)];
  if (field.readOnly) words.push("read-only");
  if (field.required && field.value === "") words.push("required");
  if (field.getAttribute("aria-invalid") === "true") words.push("invalid");
  return words.join(", ");
}

function valueWords(value: string): string {
  return value === "" ? "empty" : `value ${JSON.stringify(clean(value).slice(0, maxValue))}`;
}

function selectState(select: HTMLSelectElement): string {
  const labels = Array.from(select.options, (option) => clean(option.label).slice(0, 60));
  const chosen = Array.from(select.selectedOptions, (option) => clean(option.label).slice(0, 60));
  const shown = labels.slice(0, maxOptions).join(" / ");
  const more = labels.length > maxOptions ? ` and ${labels.length - maxOptions} more` : "";
  return `value ${JSON.stringify(chosen.join(", "))}, options: ${shown}${more}`;
}

function linkState(element: Element): string {
  if (element.localName !== "a" || !element.hasAttribute("href")) return "";
  const { href, protocol, origin } = element as HTMLAnchorElement;
  if (!/^https?:$/.test(protocol)) return `to ${protocol}`;
  const url = new URL(publicUrl(href));
  const address = origin === location.origin ? `${url.pathname}${url.search}${url.hash}` : href;
  return `to ${address.slice(0, 120)}`;
}

function ariaState(element: Element): string {
  const words: string[] = [];
  for (const name of ["pressed", "checked", "selected", "expanded", "current", "valuetext"]) {
    const value = element.getAttribute(`aria-${name}`);
    if (value !== null && value !== "false")
      words.push(value === "true" ? name : `${name} ${value}`);
    else if (value === "false" && name !== "current") words.push(`not ${name}`);
  }
  return words.join(", ");
}

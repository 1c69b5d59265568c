import { clean, isDisabled, isEditable } from "../page/roles.ts";
import { ToolProblem } from "../tools/tool.ts";
import { press } from "./press.ts";

const maxText = 20_000;

/** Sets a field as typing does, so that React and Vue notice it. Returns what the field has then. */
export function fill(element: Element, value: string): string {
  if (value.length > maxText) throw new ToolProblem(`Text can have ${maxText} characters at most.`);
  if (isDisabled(element)) throw new ToolProblem("This field is disabled now.");
  if (element.localName === "select") return choose(element as HTMLSelectElement, value);
  if (isEditable(element)) return writeInto(element as HTMLElement, value);
  const field = element as HTMLInputElement | HTMLTextAreaElement;
  if (field.type === "checkbox" || field.type === "radio")
    return tick(field as HTMLInputElement, value);
  if (field.readOnly) throw new ToolProblem("This field is read-only.");
  if (field.maxLength >= 0 && value.length > field.maxLength)
    throw new ToolProblem(`This field takes ${field.maxLength} characters at most.`);
  dispatchFocus(field, true);
  setNatively(field, value);
  const { inputType, data } = { inputType: "insertText", data: value };
  field.dispatchEvent(new InputEvent("input", { bubbles: true, composed: true, inputType, data }));
  field.dispatchEvent(new Event("change", { bubbles: true }));
  dispatchFocus(field, false);
  if (value !== "" && field.value === "")
    throw new ToolProblem(`A field of type ${field.type} does not accept this value.`);
  return field.value;
}

/** Frameworks replace the setter on the element. The one of the prototype tells them of a change. */
function setNatively(field: HTMLInputElement | HTMLTextAreaElement, value: string): void {
  const prototype = Object.getPrototypeOf(field) as object;
  const setter = Object.getOwnPropertyDescriptor(prototype, "value")?.set;
  if (setter) setter.call(field, value);
  else field.value = value;
}

/** Events only, so that the visitor keeps the focus while typing. */
function dispatchFocus(element: Element, isIn: boolean): void {
  element.dispatchEvent(new FocusEvent(isIn ? "focus" : "blur"));
  element.dispatchEvent(
    new FocusEvent(isIn ? "focusin" : "focusout", { bubbles: true, composed: true }),
  );
}

function choose(select: HTMLSelectElement, value: string): string {
  const wanted = clean(value).toLowerCase();
  const options = [...select.options];
  const found =
    options.find((option) => option.value === value) ??
    options.find((option) => clean(option.label).toLowerCase() === wanted);
  if (!found || found.disabled)
    throw new ToolProblem(
      "There is no such option.",
      options.slice(0, 30).map(({ label }) => clean(label)),
    );
  const setter = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(select), "value")?.set;
  if (select.multiple) found.selected = true;
  else if (setter) setter.call(select, found.value);
  else select.value = found.value;
  select.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
  select.dispatchEvent(new Event("change", { bubbles: true }));
  return clean(found.label);
}

function tick(box: HTMLInputElement, value: string): string {
  const wanted = /^(?:true|on|yes|1|checked)$/i.test(value);
  if (!wanted && !/^(?:false|off|no|0|unchecked)$/i.test(value))
    throw new ToolProblem('The value must be "true" or "false".');
  if (box.checked !== wanted) press(box, "click");
  return String(box.checked);
}

function writeInto(element: HTMLElement, value: string): string {
  element.focus({ preventScroll: true });
  const selection = element.ownerDocument.getSelection();
  selection?.selectAllChildren(element);
  // Editors listen to this command. It is deprecated, and nothing else has their undo.
  const isDone = element.ownerDocument.execCommand("insertText", false, value);
  if (!isDone) {
    element.textContent = value;
    element.dispatchEvent(new InputEvent("input", { bubbles: true, composed: true, data: value }));
  }
  return element.textContent ?? "";
}

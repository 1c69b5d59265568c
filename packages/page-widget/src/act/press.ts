import { ToolProblem } from "../tools/tool.ts";

export type PressKind = "click" | "hover" | "focus" | "submit" | "enter" | "escape";

/** Acts as a pointer or a key does. The page sees events that no person made. */
export function press(element: Element, kind: PressKind): void {
  element.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
  if (kind === "submit") return submit(element);
  if (kind === "focus") return (element as HTMLElement).focus({ preventScroll: true });
  if (kind === "enter" || kind === "escape")
    return key(element, kind === "enter" ? "Enter" : "Escape");
  const pointer = pointerAt(element);
  pointer("pointerover");
  pointer("mouseover");
  if (kind === "hover") return pointer("mousemove");
  pointer("pointerdown");
  pointer("mousedown");
  pointer("pointerup");
  pointer("mouseup");
  if ("click" in element) (element as HTMLElement).click();
  else pointer("click");
}

function pointerAt(element: Element): (type: string) => void {
  const { left, top, width, height } = element.getBoundingClientRect();
  const view = element.ownerDocument.defaultView ?? window;
  const init = {
    bubbles: true,
    cancelable: true,
    composed: true,
    clientX: left + width / 2,
    clientY: top + height / 2,
    view,
    button: 0,
    buttons: 1,
    detail: 1,
  };
  return (type) =>
    void element.dispatchEvent(
      type.startsWith("pointer")
        ? new PointerEvent(type, { ...init, pointerType: "mouse", isPrimary: true })
        : new MouseEvent(type, init),
    );
}

function key(element: Element, name: "Enter" | "Escape"): void {
  const init = { key: name, code: name, bubbles: true, cancelable: true, composed: true };
  const isOpen = element.dispatchEvent(new KeyboardEvent("keydown", init));
  element.dispatchEvent(new KeyboardEvent("keyup", init));
  // Browsers submit a form themselves only for keys of a person.
  const form = element.localName === "input" ? (element as HTMLInputElement).form : null;
  if (isOpen && name === "Enter" && form) submit(form);
}

function submit(element: Element): void {
  const form =
    element.localName === "form"
      ? (element as HTMLFormElement)
      : ((element as HTMLInputElement).form ?? element.closest("form"));
  if (!form) throw new ToolProblem("This element is in no form that could be submitted.");
  if (!form.noValidate && !form.checkValidity()) {
    form.reportValidity();
    throw new ToolProblem("The page does not accept the form yet.", invalidFields(form));
  }
  form.requestSubmit();
}

function invalidFields(form: HTMLFormElement): string[] {
  return Array.from(form.elements)
    .filter((field) => field.matches(":invalid") && field.localName !== "fieldset")
    .map((field) => {
      const { name, validationMessage } = field as HTMLInputElement;
      return `${name || field.localName}: ${validationMessage}`;
    });
}

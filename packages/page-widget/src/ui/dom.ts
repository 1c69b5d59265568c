type Child = Node | string;
export type Properties = Readonly<Record<string, string | boolean | undefined>>;

/** Creates an element. Only attributes and text, so that no markup of anyone is ever parsed. */
export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Properties = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  setAll(element, properties);
  element.append(...children);
  return element;
}

export function setAll(element: Element, properties: Properties): void {
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === false) element.removeAttribute(name);
    else element.setAttribute(name, value === true ? "" : value);
  }
}

export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

const paths = {
  chat: "M5 5h14a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2h-7l-5 4v-4H5a2 2 0 0 1-2-2V7a2 2 0 0 1 2-2Z",
  send: "M12 19V5m0 0-6 6m6-6 6 6",
  close: "M6 6l12 12M18 6 6 18",
  expand: "M7 14l5-5 5 5",
  collapse: "M7 10l5 5 5-5",
  over: "M4 12a8 8 0 1 0 2.5-5.8M4 4v4.5h4.5",
  stop: "M7 7h10v10H7z",
  shield: "M12 3l7 3v5c0 5-3 8-7 10-4-2-7-5-7-10V6l7-3Z",
} as const;

export function icon(name: keyof typeof paths): SVGSVGElement {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  setAll(svg, { viewBox: "0 0 24 24", "aria-hidden": "true", class: `icon icon-${name}` });
  const path = document.createElementNS(space, "path");
  path.setAttribute("d", paths[name]);
  svg.append(path);
  return svg;
}

export function iconButton(
  name: keyof typeof paths,
  label: string,
  onClick: () => void,
): HTMLButtonElement {
  const button = h("button", { type: "button", class: "plain", "aria-label": label, title: label });
  button.append(icon(name));
  button.addEventListener("click", onClick);
  return button;
}

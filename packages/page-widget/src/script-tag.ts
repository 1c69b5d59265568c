// The program of the script tag: defines <bron-chat> and, if the page has none, adds one.
import { defineBronChat } from "./bron-chat.ts";

const script = document.currentScript;

/** `data-site="shop"` on the script tag is `site="shop"` on the element. */
function addChat(): void {
  if (document.querySelector("bron-chat")) return;
  const chat = document.createElement("bron-chat");
  if (script instanceof HTMLScriptElement) {
    // The handler serves the script too, so it is where the script is.
    chat.setAttribute("endpoint", new URL(".", script.src || location.href).href);
    for (const { name, value } of script.attributes)
      if (name.startsWith("data-")) chat.setAttribute(name.slice("data-".length), value);
  }
  document.body.append(chat);
}

defineBronChat();
if (script?.hasAttribute("data-manual") !== true) {
  if (document.readyState === "loading")
    addEventListener("DOMContentLoaded", addChat, { once: true });
  else addChat();
}

import { h, icon } from "./dom.ts";
import type { PanelActions, PanelState } from "./panel-state.ts";
import { errorText } from "./texts.ts";

/** Errors, and requests for approval on the handler's own page. Questions of a call add themselves. */
export function renderCards(cards: HTMLElement, state: PanelState, actions: PanelActions): void {
  const { conversation, texts, handlerOrigin } = state;
  const { approvals, error } = conversation;
  const key = JSON.stringify([approvals, error, texts.retry, texts.serverTitle]);
  if (cards.dataset.key === key) return;
  cards.dataset.key = key;
  for (const old of cards.querySelectorAll(":scope > .card:not(dialog)")) old.remove();
  for (const { preview, url } of approvals) {
    const isSafe =
      handlerOrigin !== undefined &&
      URL.canParse(url, handlerOrigin) &&
      new URL(url, handlerOrigin).origin === handlerOrigin;
    const review = h(
      "a",
      { class: "button main", target: "_blank", rel: "noopener noreferrer" },
      texts.serverReview,
    );
    if (isSafe) review.href = new URL(url, handlerOrigin).href;
    const stop = h("button", { type: "button", class: "button" }, texts.cancel);
    stop.addEventListener("click", (event) => event.isTrusted && actions.stop());
    cards.append(
      h(
        "div",
        { class: "card ask", role: "group", "aria-label": texts.serverTitle },
        h("h3", {}, icon("shield"), texts.serverTitle),
        h("p", { class: "what", dir: "auto" }, preview),
        h("p", { class: "note quiet" }, texts.serverHint),
        h("div", { class: "buttons" }, stop, ...(isSafe ? [review] : [])),
      ),
    );
  }
  if (!error) return;
  const retry = h("button", { type: "button", class: "button" }, texts.retry);
  retry.addEventListener("click", actions.retry);
  cards.append(
    h(
      "div",
      { class: "card bad" },
      h("p", { dir: "auto" }, errorText(error, texts)),
      h("div", { class: "buttons" }, retry),
    ),
  );
}

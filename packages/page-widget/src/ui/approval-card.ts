import type { ApprovalRequest, Verdict } from "../risk/approval.ts";
import { observeClearView } from "./clear-view.ts";
import { h, icon, setAll, setText } from "./dom.ts";
import { showMarker } from "./marker.ts";
import type { Texts } from "./texts.ts";

export interface ApprovalPlace {
  readonly host: Element;
  readonly root: ShadowRoot;
  readonly cards: HTMLElement;
  readonly texts: Texts;
  announce(words: string): void;
}

const checkMs = 400;

/**
 * Asks in the chat's own closed tree. Only a trusted event counts, only once the box was in clear
 * view, and only while the page is as it was.
 */
export function askInPage(
  request: ApprovalRequest,
  place: ApprovalPlace,
  signal: AbortSignal,
): Promise<Verdict> {
  const { host, root, texts } = place;
  const { card, approve, cancel, note } = approvalCard(request, texts);
  return new Promise((resolve) => {
    showCard(card, place);
    place.announce(card.innerText);
    const marker = request.element ? showMarker(request.element, root) : undefined;
    const clearView = observeClearView(approve, host, (isCovered) =>
      setText(note, isCovered ? texts.covered : ""),
    );
    const end = (verdict: Verdict) => {
      clearInterval(timer);
      clearView.close();
      marker?.remove();
      signal.removeEventListener("abort", deny);
      if (verdict === "void") place.announce(texts.changed);
      card.close();
      card.remove();
      resolve(verdict);
    };
    const deny = () => end("denied");
    const timer = setInterval(() => {
      setAll(approve, { "aria-disabled": String(!clearView.isClear()) });
      if (!request.isCurrent()) end("void");
    }, checkMs);
    signal.addEventListener("abort", deny);
    if (signal.aborted) return deny();
    approve.addEventListener("click", (event) => {
      if (!event.isTrusted || !clearView.isClear()) return;
      end(request.isCurrent() ? "approved" : "void");
    });
    cancel.addEventListener("click", (event) => event.isTrusted && deny());
    card.addEventListener("cancel", (event) => {
      event.preventDefault();
      deny();
    });
    card.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !event.isTrusted) return;
      event.stopPropagation();
      deny();
    });
  });
}

function showCard(card: HTMLDialogElement, { cards }: ApprovalPlace): void {
  cards.append(card);
  // A dialog of the page makes everything else inert, so the question has to be one too.
  if (document.querySelector("dialog:modal")) card.showModal();
  else card.show();
  card.focus({ preventScroll: true });
  card.scrollIntoView({ block: "nearest" });
}

function approvalCard(request: ApprovalRequest, texts: Texts) {
  const isVisit = request.words === "";
  const note = h("p", { class: "note quiet", role: "status" });
  const approve = h(
    "button",
    { type: "button", class: "button main", "aria-disabled": "true" },
    isVisit ? texts.visitApprove : texts.approve,
  );
  const cancel = h("button", { type: "button", class: "button" }, texts.cancel);
  const title = isVisit ? texts.visitTitle : texts.approvalTitle;
  const what = isVisit ? texts.visitHint : request.words;
  const card = h(
    "dialog",
    { class: "card ask", role: "alertdialog", "aria-label": title, tabindex: "-1" },
    h("h3", {}, icon("shield"), title),
    h("p", { class: isVisit ? "" : "what", dir: "auto" }, what),
    ...detailList(request),
    note,
    h("div", { class: "buttons" }, cancel, approve),
  );
  return { card, approve, cancel, note };
}

function detailList({ details }: ApprovalRequest): HTMLElement[] {
  if (details.length === 0) return [];
  const list = h("dl", { tabindex: "0" });
  for (const [name, value] of details)
    list.append(h("dt", { dir: "auto" }, name), h("dd", { dir: "auto" }, value));
  return [list];
}

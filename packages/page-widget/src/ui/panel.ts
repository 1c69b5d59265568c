import { renderCards } from "./cards.ts";
import { h, icon, iconButton, setAll, setText } from "./dom.ts";
import { createMessageList } from "./message-list.ts";
import type { PanelActions, PanelState } from "./panel-state.ts";
import { errorText } from "./texts.ts";

export interface Panel {
  /** Where questions to the visitor are shown. */
  readonly cards: HTMLElement;
  render(state: PanelState): void;
  focusComposer(): void;
  focusLauncher(): void;
  /** Puts the panel above what the page has opened since. */
  raise(): void;
  announce(words: string): void;
  setDraft(draft: string): void;
}

export function createPanel(root: ShadowRoot, actions: PanelActions): Panel {
  const launcher = h("button", { type: "button", class: "launcher" }, icon("chat"));
  const head = createHead(actions);
  const log = h("div", { class: "log", role: "log", "aria-live": "off", tabindex: "0" });
  const activity = createActivity(actions);
  const cards = h("div", { class: "cards" });
  const composer = createComposer(actions);
  const live = h("div", { class: "hidden-text", role: "status", "aria-live": "polite" });
  const panel = h(
    "section",
    { class: "panel", role: "region", popover: "manual" },
    head.element,
    log,
    cards,
    composer.element,
  );
  root.append(launcher, panel, live);
  const messages = createMessageList(log, activity.element);
  let last: PanelState | undefined;

  launcher.addEventListener("click", actions.open);
  panel.addEventListener("keydown", (event) => {
    // Shortcuts of the page are not for what is typed here.
    event.stopPropagation();
    if (event.key === "Escape" && last?.isInline === false) actions.close();
  });
  const announce = (words: string) => {
    // The same words twice are two announcements.
    live.textContent = "";
    setTimeout(() => (live.textContent = words), 50);
  };
  return {
    cards,
    announce,
    focusComposer: composer.focus,
    focusLauncher: () => launcher.focus({ preventScroll: true }),
    setDraft: composer.setDraft,
    render(state) {
      const { texts, isCompact, isInline, isHeadless } = state;
      for (const element of [panel, launcher]) setAll(element, { dir: state.direction });
      const asking = cards.querySelector("dialog") !== null;
      const names = {
        panel: true,
        compact: isCompact,
        inline: isInline,
        headless: isHeadless,
        asking,
      };
      setAll(panel, { class: classes(names), "aria-label": state.heading || texts.heading });
      setAll(launcher, { hidden: state.isOpen || isInline || isHeadless });
      setLabel(launcher, texts.launcher);
      setAll(log, { "aria-label": state.heading || texts.heading });
      head.render(state);
      composer.render(state);
      activity.render(state, asking);
      messages.render(state, (suggestion) => actions.send(suggestion));
      renderCards(cards, state, actions);
      showPanel(panel, state.isOpen || isInline, isInline);
      const words = newsIn(last, state);
      if (words !== "") announce(words);
      last = state;
    },
    raise() {
      if (!panel.matches(":popover-open")) return;
      const focused = root.activeElement;
      panel.hidePopover();
      panel.showPopover();
      if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
    },
  };
}

function createHead(actions: PanelActions) {
  const heading = h("h2", { class: "heading" });
  const over = iconButton("over", "", actions.startOver);
  const collapse = iconButton("collapse", "", actions.toggleCompact);
  const close = iconButton("close", "", actions.close);
  return {
    element: h("div", { class: "head" }, heading, over, collapse, close),
    render({ conversation, texts, isCompact, isInline, heading: own }: PanelState) {
      setText(heading, own || texts.heading);
      setLabel(over, texts.startOver);
      setLabel(close, texts.close);
      setLabel(collapse, isCompact ? texts.expand : texts.collapse);
      collapse.replaceChildren(icon(isCompact ? "expand" : "collapse"));
      setAll(over, { hidden: conversation.messages.length === 0 });
      setAll(close, { hidden: isInline });
    },
  };
}

/** What is being done, with Stop. */
function createActivity(actions: PanelActions) {
  const words = h("span", { class: "words" });
  const stopText = h("span");
  const stop = h("button", { type: "button", class: "stop-button" }, icon("stop"), stopText);
  const dots = h("span", { class: "dots", "aria-hidden": "true" }, h("i"), h("i"), h("i"));
  const element = h("div", { class: "activity" }, dots, words, stop);
  stop.addEventListener("click", actions.stop);
  return {
    element,
    render({ conversation, texts }: PanelState, isAsking: boolean) {
      const { isLoading, activity, approvals } = conversation;
      const isWaiting = isAsking || approvals.length > 0;
      setAll(element, { hidden: !isLoading });
      setText(stopText, texts.stop);
      setText(words, activity || (isWaiting ? texts.serverWaiting : texts.thinking));
    },
  };
}

function createComposer(actions: PanelActions) {
  const input = h("textarea", { rows: "1", dir: "auto", enterkeyhint: "send", maxlength: "8000" });
  const send = h("button", { type: "submit", class: "send" }, icon("send"));
  const element = h("form", { class: "composer", autocomplete: "off" }, input, send);
  const renderSend = () => setAll(send, { "aria-disabled": String(input.value.trim() === "") });
  const submit = () => {
    const words = input.value.trim();
    if (words === "") return;
    input.value = "";
    actions.saveDraft("");
    actions.send(words);
    renderSend();
  };
  element.addEventListener("submit", (event) => {
    event.preventDefault();
    submit();
  });
  input.addEventListener("input", () => {
    actions.saveDraft(input.value);
    renderSend();
  });
  input.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    submit();
  });
  return {
    element,
    focus: () => input.focus({ preventScroll: true }),
    setDraft(draft: string) {
      input.value = draft;
      renderSend();
    },
    render({ texts }: PanelState) {
      setAll(input, { placeholder: texts.placeholder, "aria-label": texts.composer });
      setLabel(send, texts.send);
      renderSend();
    },
  };
}

/** What a screen reader says about a change. */
function newsIn(before: PanelState | undefined, { conversation, texts }: PanelState): string {
  const { messages, error, activity } = conversation;
  const newest = messages.at(-1);
  const isNew = before && newest && before.conversation.messages.at(-1)?.id !== newest.id;
  if (error && error !== before?.conversation.error) return errorText(error, texts);
  if (isNew && newest.role === "assistant") return `${texts.assistant}: ${newest.content}`;
  return activity === before?.conversation.activity ? "" : activity;
}

/** The top layer is above everything of the page, whatever its z-index. */
function showPanel(panel: HTMLElement, isShown: boolean, isInline: boolean): void {
  if (isInline) return panel.removeAttribute("popover");
  setAll(panel, { popover: "manual" });
  if (!panel.isConnected || panel.matches(":popover-open") === isShown) return;
  if (isShown) panel.showPopover();
  else panel.hidePopover();
}

function classes(names: Readonly<Record<string, boolean>>): string {
  return Object.keys(names)
    .filter((name) => names[name])
    .join(" ");
}

function setLabel(button: HTMLElement, text: string): void {
  setAll(button, { "aria-label": text, title: text });
}

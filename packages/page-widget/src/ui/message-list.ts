import type { HistoryMessage } from "@bron/page/wire";
import { h, setText } from "./dom.ts";
import { messageText } from "./message-text.ts";
import type { PanelState } from "./panel-state.ts";
import type { Texts } from "./texts.ts";

/** Adds only what is new, so that a long conversation costs nothing while an answer streams. */
export function createMessageList(log: HTMLElement, activity: HTMLElement) {
  const shown = new Map<string, HTMLElement>();
  const partial = h("div", { class: "message assistant" });
  const outcome = h("span", { class: "outcome" });
  const empty = h("div", { class: "empty" });
  let partialText = "";
  let emptyKey = "";
  return {
    render(state: PanelState, onSuggestion: (suggestion: string) => void) {
      const { conversation, texts, isCompact } = state;
      const isAtEnd = log.scrollHeight - log.scrollTop - log.clientHeight < 60;
      const visible = isCompact ? lastExchange(conversation.messages) : conversation.messages;
      const wanted = new Set(visible.map(keyOf));
      let isNew = false;
      for (const [key, element] of shown) {
        if (wanted.has(key)) continue;
        element.remove();
        shown.delete(key);
      }
      const elements = visible.map((message) => {
        const known = shown.get(keyOf(message));
        if (known) return known;
        const element = messageElement(message, texts);
        shown.set(keyOf(message), element);
        isNew = true;
        return element;
      });
      const isEmpty = visible.length === 0 && !conversation.isLoading;
      if (conversation.partial !== partialText) {
        partialText = conversation.partial;
        partial.replaceChildren(messageText(partialText));
      }
      const outcomeText = conversation.outcome === "done" ? "" : conversation.outcome;
      if (outcomeText) setText(outcome, texts[outcomeText]);
      const key = JSON.stringify([
        state.greeting,
        state.suggestions,
        texts.emptyTitle,
        texts.emptyHint,
      ]);
      if (isEmpty && key !== emptyKey) {
        emptyKey = key;
        empty.replaceChildren(...emptyChildren(state, onSuggestion));
      }
      const children: HTMLElement[] = isEmpty ? [empty] : [...elements];
      if (partialText !== "") children.push(partial);
      if (outcomeText && !conversation.isLoading) children.push(outcome);
      children.push(activity);
      if (!isSame(log.children, children)) log.replaceChildren(...children);
      log.classList.toggle("is-empty", isEmpty);
      if (isAtEnd || isNew) log.scrollTop = log.scrollHeight;
    },
  };
}

function isSame(now: HTMLCollection, wanted: readonly HTMLElement[]): boolean {
  return now.length === wanted.length && wanted.every((child, index) => now[index] === child);
}

/** The handler may give a message another id than the page did. Then it is another element. */
function keyOf({ id, content }: HistoryMessage): string {
  return `${id}:${content.length}`;
}

function lastExchange(messages: readonly HistoryMessage[]): readonly HistoryMessage[] {
  const question = messages.findLastIndex(({ role }) => role === "user");
  const response = messages.findLast(({ role }, index) => role === "assistant" && index > question);
  return [messages[question], response].filter((one) => one !== undefined);
}

function messageElement({ role, content }: HistoryMessage, texts: Texts): HTMLElement {
  const who = role === "user" ? texts.you : role === "assistant" ? texts.assistant : "";
  const element = h("div", { class: `message ${role}` });
  if (who !== "") element.append(h("span", { class: "hidden-text" }, `${who}: `));
  if (role === "assistant") element.append(messageText(content));
  else element.append(h("span", { dir: "auto" }, content));
  return element;
}

function emptyChildren(
  state: PanelState,
  onSuggestion: (suggestion: string) => void,
): HTMLElement[] {
  const { texts, greeting, suggestions } = state;
  const children: HTMLElement[] = [
    h("strong", { dir: "auto" }, greeting || texts.emptyTitle),
    h("span", { class: "quiet" }, texts.emptyHint),
  ];
  if (suggestions.length === 0) return children;
  const list = h("div", { class: "suggestions" });
  for (const suggestion of suggestions.slice(0, 4)) {
    const button = h("button", { type: "button", dir: "auto" }, suggestion);
    button.addEventListener("click", () => onSuggestion(suggestion));
    list.append(button);
  }
  return [...children, list];
}

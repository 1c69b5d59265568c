import { createChatController, type ChatController, type ChatState } from "./ui/chat-controller.ts";
import { styles } from "./ui/styles.ts";
import type { Texts } from "./ui/texts.ts";
import type { SiteTool } from "./tools/site-tools.ts";

/** The element `<bron-chat>`, as a site's scripts see it. */
export interface BronChatElement extends HTMLElement {
  readonly state: ChatState;
  open(): void;
  close(): void;
  toggleExpand(): void;
  /** Sends a message as if the visitor had typed it. */
  send(message: string): Promise<void>;
  stop(): void;
  retry(): Promise<void>;
  /** Forgets the conversation. */
  reset(): void;
  /** Returns what removes the tool. Throws if the name is bad or taken. */
  registerTool(tool: SiteTool, options?: { readonly signal?: AbortSignal }): () => void;
  /** Replaces texts, for another language or tone. */
  setTexts(texts: Partial<Texts>): void;
}

const observed = [
  "endpoint site placement headless heading greeting suggestions dir reversible free private texts",
].flatMap((names) => names.split(" "));

/** Defines `<bron-chat>`. Repeated calls do nothing. Needs a browser. */
export function defineBronChat(): void {
  if (customElements.get("bron-chat")) return;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(styles);

  class BronChat extends HTMLElement implements BronChatElement {
    static readonly observedAttributes = observed;
    // The page's scripts do not get at it.
    readonly #root = this.attachShadow({ mode: "closed" });
    #controller: ChatController | undefined;
    readonly #waiting: ((controller: ChatController) => void)[] = [];

    connectedCallback(): void {
      if (this.#controller) return;
      this.#root.replaceChildren();
      this.#root.adoptedStyleSheets = [sheet];
      const controller = createChatController(this, this.#root);
      this.#controller = controller;
      for (const action of this.#waiting.splice(0)) action(controller);
    }

    disconnectedCallback(): void {
      // An element that is only moved is in the page again at the end of this task.
      queueMicrotask(() => {
        if (this.isConnected) return this.#controller?.render();
        this.#controller?.dispose();
        this.#controller = undefined;
      });
    }

    attributeChangedCallback(): void {
      this.#controller?.render();
    }

    get state(): ChatState {
      return this.#controller?.state ?? emptyState;
    }

    open(): void {
      this.#later((controller) => controller.open());
    }

    close(): void {
      this.#controller?.close();
    }

    toggleExpand(): void {
      this.#later((controller) => controller.toggleCompact());
    }

    async send(message: string): Promise<void> {
      await this.#controller?.send(message);
    }

    stop(): void {
      this.#controller?.stop();
    }

    async retry(): Promise<void> {
      await this.#controller?.retry();
    }

    reset(): void {
      this.#controller?.reset();
    }

    registerTool(tool: SiteTool, options?: { readonly signal?: AbortSignal }): () => void {
      if (this.#controller) return this.#controller.registerTool(tool, options);
      let remove = () => undefined as void;
      this.#later((controller) => (remove = controller.registerTool(tool, options)));
      return () => remove();
    }

    setTexts(texts: Partial<Texts>): void {
      this.#later((controller) => controller.setTexts(texts));
    }

    #later(action: (controller: ChatController) => void): void {
      if (this.#controller) action(this.#controller);
      else this.#waiting.push(action);
    }
  }
  customElements.define("bron-chat", BronChat);
}

const emptyState: ChatState = {
  messages: [],
  partial: "",
  isLoading: false,
  isOpen: false,
  isExpanded: true,
  activity: "",
  error: "",
  outcome: undefined,
  lastUserMessage: "",
  lastAssistantMessage: "",
};

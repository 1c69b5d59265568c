import type { HistoryMessage, PageOutcome } from "@bron/page/wire";
import { createElementIds } from "../page/elements.ts";
import { createPageView, type PageView } from "../page/page-view.ts";
import { createSecrets } from "../page/secrets.ts";
import type { ApprovalRequest, AskVisitor, Verdict } from "../risk/approval.ts";
import { createConversation, type Conversation } from "../talk/conversation.ts";
import type { PageForRequest } from "../talk/rounds.ts";
import { claimConversation, sessionStore, tabText } from "../talk/stored-conversation.ts";
import { createTransport } from "../talk/transport.ts";
import { genericToolNames } from "../tools/dom-tools.ts";
import { runCall, type RunCallDeps } from "../tools/run-call.ts";
import { createSiteTools, type SiteTools } from "../tools/site-tools.ts";
import { createToolSet, type ToolSet } from "../tools/tool-set.ts";
import { createWebMcp, type WebMcp } from "../tools/web-mcp.ts";
import { askInPage } from "./approval-card.ts";
import { createPanel, type Panel } from "./panel.ts";
import { publishTools } from "./publish-tools.ts";
import type { PanelState } from "./panel-state.ts";
import { readSettings, selectorIn, type Settings } from "./settings.ts";
import type { Texts } from "./texts.ts";

/** What a site reads from `element.state`. */
export interface ChatState {
  readonly messages: readonly HistoryMessage[];
  readonly partial: string;
  readonly isLoading: boolean;
  readonly isOpen: boolean;
  readonly isExpanded: boolean;
  readonly activity: string;
  readonly error: string;
  readonly outcome: PageOutcome | undefined;
  readonly lastUserMessage: string;
  readonly lastAssistantMessage: string;
}

/** The chat behind `<bron-chat>`. It lives as long as its element is in the page. */
export interface ChatController {
  readonly state: ChatState;
  open(): void;
  close(): void;
  toggleCompact(): void;
  send(message: string): Promise<void>;
  stop(): void;
  retry(): Promise<void>;
  reset(): void;
  registerTool: SiteTools["register"];
  setTexts(texts: Partial<Texts>): void;
  render(): void;
  dispose(): void;
}

const maxPageBytes = 24_000;
/** Kept from before the page's later scripts could replace them. */
const native = { fetch: window.fetch.bind(window), setTimeout: window.setTimeout.bind(window) };

export function createChatController(host: HTMLElement, root: ShadowRoot): ChatController {
  let ownTexts: Partial<Texts> = {};
  const settings = () => readSettings(host, ownTexts);
  const key = `bron-chat:${settings().endpoint ?? ""}`;
  const store = sessionStore(key);
  const emit: Emit = (type, detail) =>
    void host.dispatchEvent(
      new CustomEvent(`bron-${type}`, { detail, bubbles: true, composed: true }),
    );
  const page = createPageTools(host, store.load()?.lastElement);
  const conversation: Conversation = createConversation({
    transport: createTransport({
      endpoint: () => settings().endpoint ?? "",
      request: native.fetch,
      visitor: tabText(`${key}:visitor`),
    }),
    store,
    site: () => settings().site,
    readPage: (isKnown) => readPage(page, isKnown),
    run(call, onStart, signal) {
      emit("call", { name: call.name });
      return runCall(call, runDeps(onStart), signal);
    },
    lastElement: () => page.view.ids.last(),
    onChange: () => render(),
    newId,
    wait,
  });
  const panel = createPanel(root, {
    open: () => controller.open(),
    close: () => controller.close(),
    toggleCompact: () => controller.toggleCompact(),
    startOver: () => controller.reset(),
    send: (message) => void controller.send(message),
    stop: () => controller.stop(),
    retry: () => void controller.retry(),
    saveDraft: (draft) => conversation.remember({ draft }),
  });
  let shownError: object | undefined;
  const render = () => {
    panel.render(panelState(conversation, settings(), panel.cards.childElementCount > 0));
    const { error } = conversation.state;
    if (error && error !== shownError) {
      page.view.forget();
      emit("error", error);
    }
    shownError = error;
    emit("change", controller.state);
  };
  const view: ChatView = { panel, settings, render, emit };
  const ask: AskVisitor = (request, signal) => {
    show(conversation, view, true);
    const { texts } = settings();
    const place = { host, root, cards: panel.cards, texts, announce: panel.announce };
    return askVisibly(view, request, () => askInPage(request, place, signal));
  };
  const runDeps = (onStart: (words: string) => void): RunCallDeps => ({
    tools: page.tools,
    view: page.view,
    ask,
    onStart,
    visit: {
      mustAsk: () => settings().asksPerVisit && !conversation.stored.isVisitAllowed,
      allow: () => conversation.remember({ isVisitAllowed: true }),
    },
  });
  const controller = {
    ...createActions(conversation, page, view),
    get state() {
      return publicState(conversation);
    },
    setTexts(texts: Partial<Texts>) {
      ownTexts = { ...ownTexts, ...texts };
      render();
    },
  };
  start(conversation, page, { view, runDeps });
  return controller;
}

type Emit = (type: string, detail: object) => void;

interface ChatView {
  readonly panel: Panel;
  readonly settings: () => Settings;
  readonly render: () => void;
  readonly emit: Emit;
}

function show(conversation: Conversation, view: ChatView, isOpen: boolean): void {
  if (conversation.stored.isOpen === isOpen) return;
  conversation.remember({ isOpen });
  view.render();
  view.emit(isOpen ? "open" : "close", {});
}

async function askVisibly(
  { panel, render, emit }: ChatView,
  { words }: ApprovalRequest,
  ask: () => Promise<Verdict>,
): Promise<Verdict> {
  panel.raise();
  emit("approval", { words });
  const asked = ask();
  render();
  const verdict = await asked;
  render();
  return verdict;
}

/** What the panel and the site's scripts may do. */
function createActions(
  conversation: Conversation,
  page: PageTools,
  view: ChatView,
): Omit<ChatController, "state" | "setTexts"> {
  const { panel, settings, render } = view;
  const forgetEvents = subscribeToPage(conversation);
  return {
    open() {
      show(conversation, view, true);
      panel.focusComposer();
    },
    close() {
      show(conversation, view, false);
      panel.focusLauncher();
    },
    toggleCompact() {
      conversation.remember({ isCompact: !conversation.stored.isCompact });
      render();
    },
    send: (message) => conversation.send(message),
    stop() {
      conversation.stop();
      page.view.forget();
      panel.announce(settings().texts.stopped);
      panel.focusComposer();
    },
    retry: () => conversation.retry(),
    reset() {
      page.view.forget();
      conversation.reset();
      panel.focusComposer();
    },
    registerTool: (tool, options) => page.site.register(tool, options),
    render,
    dispose() {
      conversation.stop();
      page.webMcp.close();
      forgetEvents();
    },
  };
}

/** Shows what was stored, publishes tools, and goes on with what a reload interrupted. */
function start(
  conversation: Conversation,
  page: PageTools,
  {
    view,
    runDeps,
  }: {
    readonly view: ChatView;
    readonly runDeps: (onStart: (words: string) => void) => RunCallDeps;
  },
): void {
  const { panel, settings, render } = view;
  const { site, webMcp, tools } = page;
  const publish = () => {
    if (settings().usesWebMcp)
      publishTools(webMcp, { site, tools, generic: genericToolNames, runDeps });
  };
  site.subscribe(publish);
  const { startsOpen, startsCompact } = settings();
  if (conversation.isNew) conversation.remember({ isOpen: startsOpen, isCompact: startsCompact });
  panel.setDraft(conversation.stored.draft);
  render();
  publish();
  void conversation.whenReady(claim(conversation)).then(() => conversation.resume());
}

function panelState(conversation: Conversation, settings: Settings, hasCards: boolean): PanelState {
  const { isOpen, isCompact } = conversation.stored;
  const isAsking = hasCards || conversation.state.approvals.length > 0;
  const { endpoint, isHeadless } = settings;
  return {
    ...settings,
    conversation: conversation.state,
    isOpen: isHeadless ? isAsking : isOpen,
    isCompact,
    handlerOrigin: endpoint === undefined ? undefined : new URL(endpoint).origin,
  };
}

/** What knows and drives the page. */
interface PageTools {
  readonly view: PageView;
  readonly site: SiteTools;
  readonly webMcp: WebMcp;
  readonly tools: ToolSet;
}

function createPageTools(host: HTMLElement, lastElement?: number): PageTools {
  const ids = createElementIds(lastElement);
  // It is asked for each element, so the attribute alone is looked at.
  const secrets = createSecrets(() => selectorIn(host, "private"));
  const isOwn = (element: Element) => element === host || element.localName === "bron-chat";
  const view = createPageView({ ids, secrets, isOwn, maxBytes: maxPageBytes });
  const risk = { secrets, isOwn, freeSelector: () => selectorIn(host, "free") };
  const site = createSiteTools(genericToolNames);
  const webMcp = createWebMcp();
  return { view, site, webMcp, tools: createToolSet({ view, risk, site, webMcp }) };
}

async function readPage({ view, tools }: PageTools, isKnown: boolean): Promise<PageForRequest> {
  const seen = view.look();
  const { definitions: toolDefinitions, viewState } = await tools.declare(seen);
  const pageState = view.state(seen, isKnown);
  if (!viewState) return { toolDefinitions, pageState };
  const content = view.secrets.scrub({ view: pageState.content, viewState });
  return { toolDefinitions, pageState: { ...pageState, content } };
}

/** Goes on when the network, or the visitor, comes back. Returns what ends it. */
function subscribeToPage(conversation: Conversation): () => void {
  const onOnline = () => {
    if (conversation.state.error?.code === "connection_lost") void conversation.retry();
  };
  const onPageShow = ({ persisted }: PageTransitionEvent) => {
    if (!persisted) return;
    // The browser kept this page, and the conversation went on elsewhere.
    conversation.reload();
    void conversation.whenReady(claim(conversation)).then(() => conversation.resume());
  };
  addEventListener("online", onOnline);
  addEventListener("pageshow", onPageShow);
  return () => {
    removeEventListener("online", onOnline);
    removeEventListener("pageshow", onPageShow);
  };
}

function newId(): string {
  const numbers = crypto.getRandomValues(new Uint32Array(3));
  return `w${Array.from(numbers, (number) => number.toString(36)).join("")}`;
}

async function wait(ms: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    native.setTimeout(resolve, ms);
    signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
  });
}

/** A duplicated tab starts from the words of the conversation, the first one goes on. */
async function claim(conversation: Conversation): Promise<void> {
  const isOurs = await claimConversation(conversation.stored.id);
  if (!isOurs) conversation.fork();
}

function publicState(conversation: Conversation): ChatState {
  const { state, stored } = conversation;
  const { messages, partial, isLoading, activity, error, outcome } = state;
  const lastOf = (role: string) =>
    messages.findLast((message) => message.role === role)?.content ?? "";
  return {
    messages,
    partial,
    isLoading,
    isOpen: stored.isOpen,
    isExpanded: !stored.isCompact,
    activity,
    error: error ? error.message || error.code : "",
    outcome,
    lastUserMessage: lastOf("user"),
    lastAssistantMessage: lastOf("assistant"),
  };
}

import type { Client } from "@bron/client";
import { QueryClientProvider, type QueryClient } from "@tanstack/react-query";
import { RouterContextProvider, type AnyRouter } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";
import { setImmediate, setTimeout } from "node:timers/promises";
import { onTestFinished, vi } from "vitest";
import { api } from "./api.ts";

/** Replaces methods of the page's client until the test ends. */
export function stubApi(methods: Partial<Client>): void {
  const before = { ...api };
  Object.assign(api, methods);
  onTestFinished(() => void Object.assign(api, before));
}

/** The members of an element that hooks use. */
export class PageElement extends EventTarget {
  readonly nodeType = 1;
  readonly tagName = "DIV";
  readonly namespaceURI = "http://www.w3.org/1999/xhtml";
  get ownerDocument(): unknown {
    return document;
  }
}

/**
 * Installs a page without elements until the test ends. It has what React needs to run effects, and
 * the global names in `parts`. Returns its window and its document, which dispatch events.
 */
export function openPage(parts: Readonly<Record<string, unknown>> = {}) {
  const window = Object.assign(new EventTarget(), { HTMLIFrameElement: class {} });
  const body: object = new PageElement();
  const page = Object.assign(new EventTarget(), {
    nodeType: 9,
    defaultView: window,
    visibilityState: "visible",
    hidden: false,
    body,
    activeElement: body,
    querySelector: (_selector: string): unknown => null,
    querySelectorAll: (_selector: string): readonly unknown[] => [],
  });
  const listeners = {
    addEventListener: window.addEventListener.bind(window),
    removeEventListener: window.removeEventListener.bind(window),
  };
  const names = { window, document: page, Element: PageElement, ...listeners, ...parts };
  for (const [name, value] of Object.entries(names)) vi.stubGlobal(name, value);
  onTestFinished(() => void vi.unstubAllGlobals());
  return { window, document: page };
}

interface MountedHook<Result> {
  /** What the hook returned last. */
  current(): Result;
  /** Calls functions of the hook, and renders what they changed. */
  act(work: (current: Result) => void): void;
  /** Renders the hook again, with what it reads from the test. */
  render(): void;
  unmount(): void;
}

/** Renders a hook on the open page, with its effects, until the test ends. */
export function mountHook<Result>(
  client: QueryClient,
  hook: () => Result,
  wrap: (page: ReactNode) => ReactNode = (page) => page,
): MountedHook<Result> {
  let result: { readonly value: Result } | undefined;
  const Caller = (_: { readonly version: number }) => {
    result = { value: hook() };
    return null;
  };
  const root = createRoot(new PageElement() as unknown as Element);
  let version = 0;
  const render = () => {
    version += 1;
    const page = wrap(<Caller version={version} />);
    flushSync(() => root.render(<QueryClientProvider client={client}>{page}</QueryClientProvider>));
  };
  const current = () => {
    if (!result) throw new Error("The hook was not called");
    return result.value;
  };
  const unmount = () => flushSync(() => root.unmount());
  // Runs before the page closes. Notifications of queries, and React's last look for work, are in
  // the queue by then.
  onTestFinished(async () => {
    unmount();
    await setTimeout(0);
    await setImmediate();
  });
  render();
  return { current, act: (work) => flushSync(() => work(current())), render, unmount };
}

/** Renders a hook in a router that only adds each navigation to the list. */
export function inRouter(ways: unknown[]): (page: ReactNode) => ReactNode {
  const navigate = async ({ to, params }: { to?: unknown; params?: unknown }) =>
    void ways.push(params === undefined ? to : [to, params]);
  const router = { options: {}, navigate } as unknown as AnyRouter;
  return (page) => <RouterContextProvider router={router}>{page}</RouterContextProvider>;
}

import { ClientError } from "@bron/client";
import { createElement, use, type FunctionComponent } from "react";
import { texts } from "../texts.ts";
import { reloadWhenReachable } from "./reload-when-reachable.ts";

/** A component whose code is loaded when it is first needed. */
type LazyPage<Props = object> = FunctionComponent<Props> & { preload(): Promise<void> };

interface LazyPages {
  page<Name extends string, Props extends object = object>(
    load: () => Promise<Readonly<Record<Name, FunctionComponent<Props>>>>,
    name: Name,
  ): LazyPage<Props>;
  /** Loads all pages that are not there yet, so that they open without the server. Never rejects. */
  preloadAll(): Promise<void>;
}

/**
 * The router's own lazy component reloads the whole app if a file cannot be loaded. Without a server
 * that ends at the browser's error page, and everything typed is lost. This one fails where the page
 * would be, and reloads once the server responds.
 */
export function createLazyPages(reload: () => Promise<void> = reloadWhenReachable): LazyPages {
  const preloads: (() => Promise<void>)[] = [];
  return {
    page<Name extends string, Props extends object>(
      load: () => Promise<Readonly<Record<Name, FunctionComponent<Props>>>>,
      name: Name,
    ) {
      let component: FunctionComponent<Props> | undefined;
      let isFailed = false;
      let loading: Promise<void> | undefined;
      const preload = async () => {
        if (component) return;
        isFailed = false;
        loading ??= load()
          .then(
            (module) => void (component = module[name]),
            () => void (isFailed = true),
          )
          .finally(() => (loading = undefined));
        await loading;
      };
      const Page = (props: Props) => {
        if (component) return createElement(component, props);
        if (isFailed) {
          void reload();
          throw new ClientError("server_unreachable", texts.shell.pageNotLoaded);
        }
        // The router waits for `preload` first. This is for a page that is rendered without it.
        use(preload());
        return null;
      };
      preloads.push(preload);
      return Object.assign(Page, { preload });
    },
    async preloadAll() {
      await Promise.all(preloads.map(async (preload) => await preload()));
    },
  };
}

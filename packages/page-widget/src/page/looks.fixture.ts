// Runs in a page: makes the page state as the chat does for each request.
import { createElementIds } from "./elements.ts";
import { createPageView } from "./page-view.ts";
import { createSecrets } from "./secrets.ts";

const view = createPageView({
  ids: createElementIds(),
  secrets: createSecrets(() => ""),
  isOwn: (element) => element.localName === "bron-chat",
  maxBytes: 24_000,
});
Object.assign(window, { lookAtPage: () => view.state(view.look(), true) });

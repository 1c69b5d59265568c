import type { JsonObject } from "@bron/page/wire";
import { publicUrl } from "../page/secrets.ts";

const maxReports = 20;
/** After so many questions in one call, a page is not asking any more. */
const maxQuestions = 3;

/** What a page did while a call ran, apart from changing what it shows. */
export interface PageEvents {
  /** Ends the observation. */
  stop(): void;
  report(): JsonObject;
}

interface NavigateEventLike extends Event {
  readonly destination?: { readonly url: string };
  readonly downloadRequest?: string | null;
}

/**
 * Notices dialogs, navigation, downloads and new windows. An alert is reported instead of shown,
 * because it would stop everything. A confirm is the visitor's to decide, so the browser shows it.
 * A window opens only if the visitor approved the call.
 */
export function observePage(isApproved: boolean): PageEvents {
  const from = location.href;
  const dialogs: JsonObject[] = [];
  const windows: string[] = [];
  const downloads: string[] = [];
  let left: string | undefined;
  let total = 0;
  const note = (kind: string, message: string, outcome: string) => {
    total += 1;
    if (dialogs.length < maxReports)
      dialogs.push({ kind, message: message.slice(0, 500), outcome });
  };
  const native = { alert: window.alert, confirm: window.confirm, prompt: window.prompt };
  const openWindow = window.open;
  let questions = 0;
  const mayAsk = () => (questions += 1) <= maxQuestions;
  const replaced = {
    alert: (message = "") => note("alert", `${message}`, "closed"),
    confirm(message = "") {
      const isConfirmed = mayAsk() && native.confirm.call(window, `${message}`);
      note("confirm", `${message}`, isConfirmed ? "the visitor chose OK" : "Cancel was chosen");
      return isConfirmed;
    },
    prompt(message = "", value?: string) {
      const text = mayAsk() ? native.prompt.call(window, `${message}`, value) : null;
      note(
        "prompt",
        `${message}`,
        text === null ? "Cancel was chosen" : "the visitor wrote something",
      );
      return text;
    },
    open(...args: Parameters<typeof window.open>) {
      windows.push(addressOf(args[0]));
      return isApproved ? openWindow.apply(window, args) : null;
    },
  };
  const putBack = replaceOn(window, replaced);
  const onNavigate = (event: NavigateEventLike) => {
    if (typeof event.downloadRequest === "string")
      downloads.push(event.downloadRequest || addressOf(event.destination?.url));
    else left = addressOf(event.destination?.url);
  };
  const { navigation } = window as { navigation?: EventTarget };
  navigation?.addEventListener("navigate", onNavigate);
  return {
    stop() {
      navigation?.removeEventListener("navigate", onNavigate);
      putBack();
    },
    report() {
      const said: Record<string, JsonObject[string]> = {};
      if (dialogs.length > 0) said.dialogs = dialogs;
      if (total > dialogs.length) said.moreDialogs = total - dialogs.length;
      if (windows.length > 0) {
        said.newWindows = windows.slice(0, maxReports);
        if (!isApproved) said.newWindowsOpened = false;
      }
      if (downloads.length > 0) said.downloads = downloads.slice(0, maxReports);
      if (location.href !== from) said.nowAt = publicUrl(location.href);
      else if (left !== undefined && left !== publicUrl(from)) said.leavingFor = left;
      return said;
    },
  };
}

function addressOf(url: string | URL | undefined): string {
  try {
    return publicUrl(new URL(String(url ?? ""), location.href).href);
  } catch {
    return "an address that cannot be read";
  }
}

/** Replaces functions of an object, as far as the page allows. Returns what puts them back. */
function replaceOn(target: Window, functions: Readonly<Record<string, unknown>>): () => void {
  const object = target as unknown as Record<string, unknown>;
  const before = Object.keys(functions).map((name) => [name, object[name]] as const);
  for (const [name, replacement] of Object.entries(functions)) setMember(object, name, replacement);
  return () => {
    // What the page put there in the meantime stays.
    for (const [name, original] of before)
      if (object[name] === functions[name]) setMember(object, name, original);
  };
}

function setMember(object: Record<string, unknown>, name: string, value: unknown): void {
  try {
    object[name] = value;
  } catch {
    // A page may have frozen it. Then the browser shows the dialog itself.
  }
}

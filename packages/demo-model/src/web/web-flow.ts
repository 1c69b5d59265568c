import { readDocumentView } from "../reading/document-view.ts";
import {
  call,
  emailResult,
  type FlowContext,
  type WorkspaceFlow,
} from "../workspace/workspace-flow.ts";
import { pageLines } from "./page-lines.ts";
import type { WebTask } from "./web-task.ts";
import { webWordsIn } from "./web-words.ts";

const maxLines = 12;
const firstLines = 5;

/** Reads the pages and quotes them, then emails the quotes if the task asks for it. */
export function* runWebTask(
  { urls, topic, wantsPrices, emailRequest }: WebTask,
  context: FlowContext,
): WorkspaceFlow {
  const words = webWordsIn(context.language);
  const about = [...topic, ...(wantsPrices ? [words.prices] : [])].join(" ");
  const quotedLines: string[] = [];
  for (const url of urls) {
    const page = yield* call({ role: "page", args: { url }, detail: url }, context);
    if (page === undefined) continue;
    const { text, isTruncated } = readDocumentView(page.value);
    const all = pageLines(text, { topic: [], wantsPrices: false });
    const lines = about === "" ? all : pageLines(text, { topic, wantsPrices });
    const isThere = lines.length > 0;
    const shown = (isThere ? lines : all).slice(0, isThere ? maxLines : firstLines);
    const head =
      all.length === 0
        ? words.empty(url)
        : about === ""
          ? words.says(url)
          : isThere
            ? words.saysAbout(url, about)
            : words.nothingAbout(url, about);
    const found = [
      head,
      ...shown.map((line) => `- ${line}`),
      ...(isThere && lines.length > shown.length
        ? [words.further(lines.length - shown.length)]
        : []),
      ...(isTruncated ? [words.cut(url)] : []),
    ];
    context.report.add(...found);
    if (isThere) quotedLines.push(...found);
  }
  // Without matching lines there is nothing to send.
  if (quotedLines.length > 0)
    yield* emailResult(
      { subject: words.subject(hostOf(urls[0] ?? "")), lines: quotedLines },
      emailRequest,
      context,
    );
}

function hostOf(url: string): string {
  return URL.parse(url)?.host ?? url;
}

import { foldText } from "../reading/fold-text.ts";
import type { MailMessage } from "./mail-results.ts";

const greeting =
  /^(?:hi|hello|hey|dear|good (?:morning|afternoon|evening)|hallo|liebe[rs]?|guten (?:tag|morgen|abend)|sehr geehrte|bonjour|salut|cher|chere|thanks|thank you|best|kind regards|regards|cheers|(?:viele|liebe|beste|schone) grus+e|mit freundlichen grus+en|lg|merci|cordialement|bien a (?:vous|toi))\b[^.!?]{0,40}[,.!]?$/;
const quotedStart =
  /^(?:on .{5,80} wrote:|am .{5,80} schrieb.*:|le .{5,80} a ecrit ?:|-{2,} ?(?:original|forwarded|weitergeleitet|urspr).*|from: .*|von: .*|de ?: .*)$/;

/** Sentences quoted from the message: those about the topic, or else the first ones. */
export function keySentences(
  { text, from }: Pick<MailMessage, "text" | "from">,
  topic: readonly string[],
  most = 4,
): readonly string[] {
  const sentences = ownText(text).flatMap(
    (paragraph) => paragraph.match(/[^.!?]+(?:[.!?]+(?=\s|$)|[.!?]+\S[^.!?]*)*[.!?]*/g) ?? [],
  );
  const clean = sentences
    .map((sentence) => sentence.replace(/\s+/g, " ").trim())
    .filter(
      (sentence) =>
        sentence.length > 2 &&
        !greeting.test(foldText(sentence)) &&
        !from.includes(sentence.replace(/[.,]$/, "")),
    );
  const wanted = topic.map(foldText);
  const relevant = clean.filter((sentence) =>
    wanted.some((word) => foldText(sentence).includes(word)),
  );
  return (relevant.length > 0 ? relevant : clean).slice(0, most);
}

/** The sender's own text without quoted replies and signature. */
function ownText(text: string): readonly string[] {
  const lines = text.split(/\r?\n/);
  const end = lines.findIndex(
    (line) => /^-- ?$/.test(line) || quotedStart.test(foldText(line.trim())),
  );
  const own = (end < 0 ? lines : lines.slice(0, end)).filter((line) => !line.startsWith(">"));
  return own
    .join("\n")
    .split(/\n\s*\n|\n(?=[-*•\d])/)
    .flatMap((block) =>
      /[.!?]\s*$/m.test(block) ? [block.replace(/\n/g, " ")] : block.split("\n"),
    );
}

import { addressesIn, normalizeAddress, withoutUnseen } from "../policy/text/names.ts";
import { normalizeText } from "../policy/text/normalize-text.ts";
import { quotationsIn } from "../policy/owner-words/quotations.ts";

/** What is between quote marks. The reader of the words sees its kind and length only. */
export interface Slot {
  readonly kind: "address" | "url" | "file" | "text";
  readonly value: string;
}

export interface SlottedText {
  /** The text, with `«q1: text, 20 characters»` in place of a quotation. */
  readonly text: string;
  readonly slots: ReadonlyMap<string, Slot>;
}

/**
 * Replaces quotations by slots. The owner may quote what another person wrote, so the reader must
 * not take words inside of a quotation for a request.
 */
export function withSlots(typed: string, firstNumber: number): SlottedText {
  const clean = withoutUnseen(normalizeText(typed, "NFKC"));
  const slots = new Map<string, Slot>();
  let text = "";
  let from = 0;
  for (const { start, end, inner } of quotationsIn(clean)) {
    const value = inner.trim();
    const name = `q${firstNumber + slots.size}`;
    const kind = kindOf(value);
    slots.set(name, { kind, value });
    const size = kind === "text" ? `, ${value.length} characters` : "";
    text += `${clean.slice(from, start)}«${name}: ${kind}${size}»`;
    from = end;
  }
  return { text: text + clean.slice(from), slots };
}

const maxFilenameCharacters = 255;

/** Only a span that consists of one thing is that thing. */
function kindOf(value: string): Slot["kind"] {
  const [address, ...others] = addressesIn(value);
  if (address !== undefined && others.length === 0 && normalizeAddress(value) === address)
    return /[\s<>]/.test(value) ? "text" : "address";
  if (/^https?:\/\/\S+$/i.test(value) && URL.canParse(value)) return "url";
  if (value.length <= maxFilenameCharacters && /^[^/\\\n@]+\.[a-z0-9]{2,5}$/i.test(value))
    return /\s/.test(value) && /[.!?]\s/.test(value) ? "text" : "file";
  return "text";
}

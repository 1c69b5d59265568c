import type { JsonValue } from "@bron/protocol";
import { addressesIn, hostsLeaving, textsIn } from "./names.ts";

/** Somebody whom an effect reaches. */
export interface Recipient {
  readonly address: string;
  readonly role: "to" | "cc" | "bcc" | "reply-to" | "guest";
  /** Somebody whom the owner has written to before, with the names that they used then. */
  readonly known?: { readonly names: readonly string[] };
}

/** What of a prepared form the policy looks at. Read from the form itself, so that what is judged is what is done. */
export interface EffectFacts {
  readonly kind: "mail" | "event" | "fetch" | "other";
  /** The owner's own address there. */
  readonly account: string;
  readonly recipients: readonly Recipient[];
  /** Hosts that what leaves names, or that are asked. */
  readonly hosts: readonly string[];
  readonly attachments: readonly { readonly filename: string; readonly digest: string }[];
  /** What its tool found odd, in sentences for a person: asked about at every level. */
  readonly warnings: readonly string[];
}

const mostCharacters = 500_000;

/** For tools that do not say what their effects are: every address and every host in them counts. */
export function guessFacts(prepared: JsonValue): EffectFacts {
  const texts = textsIn(prepared).join("\n");
  const seen = texts.slice(0, mostCharacters);
  const warnings =
    texts.length > mostCharacters
      ? ["It is too long to be looked through for addresses and links."]
      : [];
  return {
    kind: "other",
    account: "",
    recipients: addressesIn(seen).map((address) => ({ address, role: "to" })),
    hosts: hostsLeaving(seen),
    attachments: [],
    warnings,
  };
}

const secretTypes = new Set(["password", "hidden", "file"]);
const secretTokens = /(?:^|\s)(?:cc-[a-z-]+|current-password|new-password|one-time-code)(?:\s|$)/;
const secretWords =
  /passw|passcode|passphrase|kennwort|contrase|mot.de.passe|senha\b|wachtwoord|has[lł]o|парол|密码|密碼|パスワード|סיסמ|كلمة.?المرور|card.?(?:number|no\b|nr\b)|kartennummer|\bcvc|\bcvv|\bcsc\b|security.?code|\biban\b|\bssn\b|social.?security|one.?time|\botp\b|\btotp\b|\b2fa\b|\bmfa\b|verification.?code|\bpin\b|secret|api.?key|access.?token/i;
const privateMark = "[data-bron-private]";

/** Knows what must never leave the page: secret fields, and what the site marked as private. */
export interface Secrets {
  isSecretField(element: Element): boolean;
  /** Whether the element itself is marked as private. */
  isMarked(element: Element): boolean;
  /** Whether the element, or one that contains it, is marked as private. */
  isPrivate(element: Element): boolean;
  /** Replaces every secret that is in the page now, and card numbers, in all strings of a value. */
  scrub<T>(value: T): T;
}

export function createSecrets(privateSelector: () => string): Secrets {
  /** A field that was once secret stays secret: "Show password" changes its type. */
  const known = new WeakSet<Element>();
  const marks = () => {
    const own = privateSelector().trim();
    return own === "" ? privateMark : `${privateMark}, ${own}`;
  };
  const isSecretField = (element: Element) => {
    if (known.has(element)) return true;
    const isSecret = isField(element) && looksSecret(element);
    if (isSecret) known.add(element);
    return isSecret;
  };
  const isMarked = (element: Element) => element.matches(marks());
  const isPrivate = (element: Element) => {
    for (let at: Element | null = element; at; at = parentAcrossRoots(at))
      if (isMarked(at)) return true;
    return false;
  };
  return {
    isSecretField,
    isMarked,
    isPrivate,
    scrub(value) {
      const found = new Set<string>();
      collectValues(document, (field) => isSecretField(field) || isPrivate(field), found);
      const values = [...found].toSorted((a, b) => b.length - a.length);
      return scrubbed(value, values) as typeof value;
    },
  };
}

export function isField(element: Element): element is HTMLInputElement {
  return /^(?:input|textarea|select)$/.test(element.localName);
}

/** The parent, or the host of the shadow root, or the frame that contains the element. */
function parentAcrossRoots(element: Element): Element | null {
  if (element.parentElement) return element.parentElement;
  const root = element.getRootNode();
  if ("host" in root) return root.host as Element;
  try {
    return element.ownerDocument.defaultView?.frameElement ?? null;
  } catch {
    return null;
  }
}

function looksSecret(field: HTMLInputElement): boolean {
  if (secretTypes.has(field.type)) return true;
  if (secretTokens.test(field.getAttribute("autocomplete") ?? "")) return true;
  const names = ["name", "id", "aria-label", "placeholder", "title"].map((name) =>
    (field.getAttribute(name) ?? "").replaceAll(/([a-z])([A-Z])|[_-]/g, "$1 $2"),
  );
  const labels = Array.from(field.labels ?? [], (label) => label.textContent ?? "");
  if (isChoice(field)) return names.slice(0, 2).some((text) => secretWords.test(text));
  return [...names, ...labels].some((text) => secretWords.test(text.slice(0, 200)));
}

/** "Save my password" is a box to tick, and no secret. */
function isChoice(field: HTMLInputElement): boolean {
  return /^(?:checkbox|radio|button|submit|reset|image)$/.test(field.type);
}

function collectValues(
  root: Document | ShadowRoot,
  isSecret: (field: Element) => boolean,
  into: Set<string>,
): void {
  for (const field of root.querySelectorAll<HTMLInputElement>("input, textarea, select"))
    if (isSecret(field)) addValue(field, into);
  for (const marked of root.querySelectorAll("iframe")) {
    const inner = documentOf(marked);
    if (inner) collectValues(inner, isSecret, into);
  }
  for (const host of root.querySelectorAll("*"))
    if (host.shadowRoot) collectValues(host.shadowRoot, isSecret, into);
}

/** The document of a frame of the same origin. */
export function documentOf(frame: Element): Document | undefined {
  try {
    return (frame as HTMLIFrameElement).contentDocument ?? undefined;
  } catch {
    return undefined;
  }
}

function addValue(field: HTMLInputElement, into: Set<string>): void {
  const value = field.value.trim();
  // Short values and words are in every text. A token is long and has digits.
  const isLong = field.type === "hidden" ? /^(?=.*\d)\S{12,}$/.test(value) : value.length >= 4;
  if (!isLong || value === "true" || isChoice(field)) return;
  into.add(value);
  const compact = value.replaceAll(/[\s-]/g, "");
  if (/^\d{6,}$/.test(compact)) into.add(compact);
}

function scrubbed(value: unknown, secrets: readonly string[]): unknown {
  if (typeof value === "string") return scrubText(value, secrets);
  if (Array.isArray(value)) return value.map((item) => scrubbed(item, secrets));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [scrubText(key, secrets), scrubbed(item, secrets)]),
  );
}

function scrubText(text: string, secrets: readonly string[]): string {
  let clean = text;
  for (const secret of secrets) clean = clean.replaceAll(secret, "(private)");
  if (!/\d{4}/.test(clean)) return clean;
  return clean.replaceAll(/(?<!\d)\d(?:[ -]?\d){12,18}(?!\d)/g, (digits) =>
    isCardNumber(digits.replaceAll(/\D/g, "")) ? "(card number)" : digits,
  );
}

/** Luhn's check, which one in ten other numbers passes too. */
export function isCardNumber(digits: string): boolean {
  let sum = 0;
  for (let index = 0; index < digits.length; index++) {
    const digit = Number(digits[digits.length - 1 - index]);
    const double = digit * 2;
    sum += index % 2 === 0 ? digit : double > 9 ? double - 9 : double;
  }
  return digits.length >= 13 && sum % 10 === 0;
}

const secretParameter = /token|key|code|secret|pass|auth|session|sid\b|signature|sig\b|otp|nonce/i;

/** The address without parts that could be used to sign in. */
export function publicUrl(href: string): string {
  const url = new URL(href);
  url.username = "";
  url.password = "";
  for (const name of Array.from(url.searchParams.keys()))
    if (secretParameter.test(name)) url.searchParams.set(name, "private");
  if (secretParameter.test(url.hash) && url.hash.includes("=")) url.hash = "";
  return url.href;
}

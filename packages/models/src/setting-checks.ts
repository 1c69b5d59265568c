import { BronError } from "@bron/core";

export function invalidSetting(variable: string, message: string): BronError {
  return new BronError("config_invalid", message, { details: { variable } });
}

/**
 * Trims the value. A blank value counts as unset, because `GEMINI_API_KEY=` in an env file means
 * "no key".
 */
export function trimmed(value: string | undefined): string | undefined {
  const text = value?.trim();
  return text === "" ? undefined : text;
}

/** Rejects characters that are not allowed in a header. The error never contains the key. */
export function checkKey(variable: string, key: string | undefined): string | undefined {
  const value = trimmed(key);
  if (value !== undefined && !/^[\x21-\x7e]+$/.test(value)) {
    throw invalidSetting(
      variable,
      `${variable} contains an invalid character (a space, a line break or a non-ASCII character). Copy the key again.`,
    );
  }
  return value;
}

export function checkBaseUrl(variable: string, url: string | undefined): string | undefined {
  const value = trimmed(url);
  if (value === undefined) return undefined;
  const parsed = URL.canParse(value) ? new URL(value) : undefined;
  if (parsed === undefined || (parsed.protocol !== "http:" && parsed.protocol !== "https:")) {
    throw invalidSetting(
      variable,
      `${variable} is not a URL: "${value}". Set it to a full URL, for example https://models.example.com/v1.`,
    );
  }
  if (parsed.username !== "" || parsed.password !== "") {
    throw invalidSetting(
      variable,
      `${variable} contains a user name or password. Set the key in its own variable instead.`,
    );
  }
  return value.replace(/\/+$/, "");
}

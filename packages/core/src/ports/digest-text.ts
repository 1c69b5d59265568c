/**
 * SHA-256 of a text in UTF-8, as `sha256:` and hexadecimal digits. Synchronous, so that a pure
 * decision can use it.
 */
export type DigestText = (text: string) => string;

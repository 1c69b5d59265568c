/** Names of secrets, as people would write them, and the variable that each belongs to. */
const knownSecrets: readonly (readonly [pattern: RegExp, variable: string])[] = [
  [/gemini.*key/, "GEMINI_API_KEY"],
  [/anthropic.*key/, "ANTHROPIC_API_KEY"],
  [/openai.*key/, "OPENAI_API_KEY"],
  [/google.*secret/, "GOOGLE_CLIENT_SECRET"],
  [/slack.*secret/, "SLACK_CLIENT_SECRET"],
  [/slack.*token|bottoken/, "SLACK_BOT_TOKEN"],
  [/s3.*key/, "S3_SECRET_ACCESS_KEY"],
  [/secretkey/, "BRON_SECRET_KEY"],
  [/databaseurl/, "DATABASE_URL"],
];
const secretName = /key$|secret|token|password|passwd|credential/;
const secretValue =
  /^(?:sk-|xox[a-z]-|AIza|gh[a-z]_|github_pat_|glpat-|AKIA|ya29\.|-----BEGIN |postgres(?:ql)?:)/;
const maxNameLength = 100;

/** What to do with a secret in a settings file. Returns undefined if the name is not a secret's. */
export function secretNameAdvice(path: string): string | undefined {
  const name = path
    .slice(-maxNameLength)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, "");
  const variable = knownSecrets.find(([pattern]) => pattern.test(name))?.[1];
  if (variable === undefined && !secretName.test(name)) return undefined;
  return `is a secret and does not belong in a settings file. Set ${variable === undefined ? "it" : variable} in the environment instead`;
}

/** Whether a value looks like a key, a token or an address with a password. */
export function isSecretValue(value: string): boolean {
  if (secretValue.test(value)) return true;
  if (!URL.canParse(value)) return false;
  const { username, password } = new URL(value);
  return username !== "" || password !== "";
}

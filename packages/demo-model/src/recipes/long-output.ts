/** What is left out of a tool result that was too long, and where the rest can be read. */
interface OutputGap {
  readonly output: string;
  readonly from: number;
  readonly characters: number;
}

const gapPattern =
  /\n\[(?<left>\d+) of \d+ characters are left out here\. To read them, call output_read with output "(?<output>[^"\n]+)" and from (?<from>\d+)\.\]\n/;
const maxCharacters = 20_000;

/** Undefined if the result is complete, or if the rest was not kept. */
export function findGap(result: unknown): OutputGap | undefined {
  const { left, output, from } =
    (typeof result === "string" ? gapPattern.exec(result)?.groups : undefined) ?? {};
  return output === undefined
    ? undefined
    : { output, from: Number(from), characters: Number(left) };
}

/** The calls of output_read that return what is left out, in order. */
export function readCalls({ output, from, characters }: OutputGap) {
  return Array.from({ length: Math.ceil(characters / maxCharacters) }, (_, index) => ({
    output,
    from: from + index * maxCharacters,
    characters: Math.min(maxCharacters, characters - index * maxCharacters),
  }));
}

/** The whole result, as the tool returned it. The parts are the results of output_read. */
export function fillGap(result: unknown, parts: readonly unknown[]): unknown {
  if (typeof result !== "string" || !findGap(result)) return result;
  const rest = parts
    .map((part) => (typeof part === "string" ? part.replace(/^\[Characters[^\n]*\]\n/, "") : ""))
    .join("");
  const whole = result.replace(gapPattern, () => rest);
  try {
    return JSON.parse(whole);
  } catch {
    return whole;
  }
}

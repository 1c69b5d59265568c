/** Stands for the result of an earlier request. No task contains this private-use character. */
export const previousMark = "\uE100";

const leads =
  /^(?:(?:what(?:'s| is| are| does| would be| do you get for)|how much (?:is|are|would be)|(?:calculate|compute|work out|evaluate|solve):?|figure out|find|determine|tell me|give me|show me)\s+|what\s+(?=\d)|(?:the )?[a-z]+: (?=[\d($€£])|(?:the )?(?:result|value|answer|total) (?:of|for)\s+)+/i;

const numberWords: Readonly<Record<string, number>> = Object.fromEntries(
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty"
    .split(" ")
    .map((word, value): [string, number] => [word, value])
    .concat(
      "thirty forty fifty sixty seventy eighty ninety"
        .split(" ")
        .map((word, index) => [word, (index + 3) * 10]),
      [["hundred", 100]],
    ),
);

/** Operations by name. "it" may be omitted where English omits it ("then add 5"). */
const operations: readonly (readonly [RegExp, (a: string, b: string) => string])[] = [
  [/^(?:the )?sum of (.+?) and (.+)$/, (a, b) => `${a} + ${b}`],
  [/^(?:the )?product of (.+?) and (.+)$/, (a, b) => `(${a}) * (${b})`],
  [/^(?:the )?difference (?:between|of) (.+?) and (.+)$/, (a, b) => `(${a}) - (${b})`],
  [/^(?:the )?quotient of (.+?) and (.+)$/, (a, b) => `(${a}) / (${b})`],
  [
    /^(?:the )?(?:average|mean) of (.+?) and (.+)$/,
    (a, b) => `(${a} + ${b}) / ${a.split("+").length + b.split("+").length}`,
  ],
  [/^add (.+?) (?:and|with) (.+)$/, (a, b) => `${a} + ${b}`],
  [/^add (.+?) to (.+)$/, (a, b) => `${b} + ${a}`],
  [/^add (.+)$/, (a) => `it + ${a}`],
  [/^subtract (.+?) from (.+)$/, (a, b) => `${b} - (${a})`],
  [/^subtract (.+)$/, (a) => `it - (${a})`],
  [/^multiply (.+?) (?:by|with|and) (.+)$/, (a, b) => `(${a}) * (${b})`],
  [/^divide (.+?) by (.+)$/, (a, b) => `(${a}) / (${b})`],
  [/^double (.+)$/, (a) => `2 * (${a})`],
  [/^triple (.+)$/, (a) => `3 * (${a})`],
  [/^(?:halve|half of) (.+)$/, (a) => `(${a}) / 2`],
  [/^square (?!root)(.+)$/, (a) => `(${a}) * (${a})`],
];

const replacements: readonly (readonly [RegExp, string])[] = [
  [/(\d),(?=\d{3}(?!\d))/g, "$1"],
  [/[$€£]\s?(?=[\d.])/g, ""],
  [/(\d(?:[\d.]*))\s*(?:%|percent)\s*(?:tip )?(?:of|on)\s+/g, "$1 / 100 * "],
  [/(\d(?:[\d.]*))\s*(?:%|percent) off\s+(\S+)$/g, "$2 * (1 - $1 / 100)"],
  [/^(.+?)\s*(?:\+|plus)\s*(\d(?:[\d.]*))\s*(?:%|percent)$/g, "($1) * (1 + $2 / 100)"],
  [/^(.+?)\s*(?:-|minus)\s*(\d(?:[\d.]*))\s*(?:%|percent)$/g, "($1) * (1 - $2 / 100)"],
  [/(?:the )?square root of (\S+)/g, "sqrt($1)"],
  [/(\d[\d.]*) squared/g, "$1 * $1"],
  [/(\d[\d.]*) cubed/g, "$1 * $1 * $1"],
  [/\bplus\b/g, "+"],
  [/\bminus\b|[−–]/g, "-"],
  [/\b(?:times|multiplied by)\b|[×·]/g, "*"],
  [/\b(?:divided by|over)\b|÷/g, "/"],
  [/\b(?:raised )?to the power of\b|\*\*/g, "^"],
  [/(?<=[\d)])\s*x\s*(?=[\d(])/g, " * "],
  [
    /\b(?:it|that|this|the (?:result|answer|total|sum|product|number|value|outcome))\b/g,
    previousMark,
  ],
];

const token = `(?:\\d+(?:\\.\\d+)?|\\.\\d+|${previousMark}|[-+*/^()]|sqrt(?=\\())`;
const onlyTokens = new RegExp(`^(?:\\s*${token})+\\s*$`);
const operator = new RegExp(`[\\d)${previousMark}]\\s*[-+*/^]\\s*[-\\d.(s${previousMark}]|sqrt\\(`);

/** Reads an arithmetic expression, or returns undefined if there is none. */
export function readExpression(words: string): string | undefined {
  let text = words
    .toLowerCase()
    .replace(leads, "")
    .replace(/[\s=?]+$/, "");
  text = text.replace(/\b[a-z]+\b/g, (word) =>
    Object.hasOwn(numberWords, word) ? String(numberWords[word]) : word,
  );
  for (const [pattern, build] of operations) {
    const match = pattern.exec(text);
    if (match === null) continue;
    text = build(spread(match[1]), spread(match[2]));
    break;
  }
  for (const [pattern, replacement] of replacements) text = text.replace(pattern, replacement);
  text = dropNeedlessBrackets(text).replace(/\s+/g, " ").trim();
  return onlyTokens.test(text) && operator.test(text) && isBalanced(text) ? text : undefined;
}

/** Turns "(144) / 2" into "144 / 2" but keeps the brackets of functions. */
export function dropNeedlessBrackets(text: string): string {
  return text.replace(/(?<!sqrt)\((\d+(?:\.\d+)?)\)/g, "$1");
}

/** Turns "3, 4" in a list of summands into "3 + 4" but keeps thousands separators. */
function spread(operand = ""): string {
  return operand.replace(/,?\s*,\s+/g, " + ").trim();
}

function isBalanced(text: string): boolean {
  let depth = 0;
  for (const character of text) {
    if (character === "(") depth += 1;
    if (character === ")") depth -= 1;
    if (depth < 0) return false;
  }
  return depth === 0;
}

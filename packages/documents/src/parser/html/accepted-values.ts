import { parseColor } from "./color.ts";

/** System colors and the names of CSS Color 4, without other spellings and shades of turquoise. */
const colorNames = new Set(
  `
    currentcolor accentcolor accentcolortext activetext buttonborder buttonface buttontext canvas
    canvastext field fieldtext graytext highlight highlighttext linktext mark marktext
    selecteditem selecteditemtext visitedtext
    aliceblue antiquewhite aqua aquamarine azure beige bisque black blanchedalmond blue
    blueviolet brown burlywood cadetblue chartreuse chocolate coral cornflowerblue cornsilk
    crimson cyan darkblue darkcyan darkgoldenrod darkgray darkgreen darkkhaki
    darkmagenta darkolivegreen darkorange darkorchid darkred darksalmon darkseagreen
    darkslateblue darkslategray darkviolet deeppink deepskyblue
    dimgray dodgerblue firebrick floralwhite forestgreen fuchsia gainsboro ghostwhite
    gold goldenrod gray green greenyellow honeydew hotpink indianred indigo ivory khaki
    lavender lavenderblush lawngreen lemonchiffon lightblue lightcoral lightcyan
    lightgoldenrodyellow lightgray lightgreen lightpink lightsalmon lightseagreen
    lightskyblue lightslategray lightsteelblue lightyellow lime limegreen linen
    magenta maroon mediumaquamarine mediumblue mediumorchid mediumpurple mediumseagreen
    mediumslateblue mediumspringgreen mediumvioletred midnightblue mintcream
    mistyrose moccasin navajowhite navy oldlace olive olivedrab orange orangered orchid
    palegoldenrod palegreen palevioletred papayawhip peachpuff peru pink plum
    powderblue purple rebeccapurple red rosybrown royalblue saddlebrown salmon sandybrown
    seagreen seashell sienna silver skyblue slateblue slategray snow springgreen
    steelblue tan teal thistle tomato turquoise violet wheat white whitesmoke yellow yellowgreen
  `
    .trim()
    .split(/\s+/),
);

const displayWord =
  /^(?:none|contents|block|inline|flow|flow-root|list-item|run-in|math|(?:inline-)?(?:table|flex|grid)|inline-block|ruby(?:-base|-text)?(?:-container)?|table-(?:row|header|footer|column)-group|table-(?:row|cell|column|caption)|-webkit-(?:inline-)?(?:box|flex))$/;
const number = String.raw`[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?`;
const opacity = new RegExp(`^${number}%?$`);
const fontSize = new RegExp(
  `^(?:${number}(?:[a-z]+|%)?|x{1,3}-(?:small|large)|small|medium|large|smaller|larger|math)$`,
);

const checks: Readonly<Partial<Record<string, (value: string) => boolean>>> = {
  display: (value) => value.split(/\s+/, 4).every((word) => displayWord.test(word)),
  visibility: (value) => /^(?:visible|hidden|collapse)$/.test(value),
  opacity: (value) => opacity.test(value),
  "font-size": (value) => fontSize.test(value),
  color: isColor,
  "-webkit-text-fill-color": isColor,
};

/** Values that only a browser computes. They count as unclear, which causes a warning. */
const computed = /\b(?:var|calc|min|max|clamp|env|attr)\(/;

/**
 * Whether a browser accepts the value. It ignores a declaration that it does not understand, and an
 * earlier one stays in force: `display: none; display: bogus` hides. Values are in lower case.
 */
export function isAcceptedValue(property: string, value: string): boolean {
  const isAccepted = checks[property];
  return (
    isAccepted === undefined ||
    computed.test(value) ||
    /^(?:inherit|initial|unset|revert|revert-layer)$/.test(value) ||
    isAccepted(value)
  );
}

/** Functions that are not understood count as unclear too. */
function isColor(value: string): boolean {
  return (
    value.includes("(") ||
    colorNames.has(value.replace("grey", "gray")) ||
    /^(?:dark|medium|pale)turquoise$/.test(value) ||
    parseColor(value) !== undefined
  );
}

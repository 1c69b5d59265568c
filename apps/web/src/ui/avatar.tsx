/** A letter on the Bron's color. The letter is dark or light, whichever has more contrast. */
export function Avatar({
  name,
  color,
  size = "md",
}: {
  readonly name: string;
  readonly color: string;
  readonly size?: "sm" | "md" | "lg";
}) {
  const box = { sm: "size-6 text-xs", md: "size-10 text-base", lg: "size-14 text-2xl" }[size];
  return (
    <span
      aria-hidden="true"
      className={`inline-flex shrink-0 items-center justify-center rounded-full font-semibold select-none ${box}`}
      style={{ backgroundColor: color, color: textColorOn(color) }}
    >
      {(name.trim().at(0) ?? "?").toUpperCase()}
    </span>
  );
}

function textColorOn(color: string): string {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255)
    .map((channel) => (channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.18 ? "#14110f" : "#ffffff";
}

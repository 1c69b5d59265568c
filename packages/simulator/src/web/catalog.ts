const parts = [
  "Frame tube",
  "Head tube",
  "Seat tube",
  "Dropout",
  "Rack strut",
  "Fork blade",
  "Chain stay",
  "Cable stop",
  "Bottle boss",
  "Bicycle bell",
];
const materials = ["steel", "stainless steel", "aluminum", "titanium"];
const sizes = Array.from({ length: 20 }, (_, index) => 16 + 2 * index);

/**
 * The rows of a table that is too long for a model: its text has more than 40,000 characters. The
 * bells are in the middle, of which a model sees nothing at first.
 */
export function catalogRows(): string {
  const sorted = [...parts.slice(0, 2), "Bicycle bell", ...parts.slice(2, -1)];
  return sorted
    .flatMap((part, partAt) =>
      (part === "Bicycle bell" ? ["brass"] : materials).flatMap((material, materialAt) =>
        (part === "Bicycle bell" ? [40, 52] : sizes).map((size, sizeAt) => {
          const cents = 240 + 130 * partAt + 310 * materialAt + 15 * sizeAt;
          const price = (factor: number) => `${((cents * factor) / 100).toFixed(2)} EUR`;
          const number = `BM-${100 + partAt}-${10 + materialAt}-${size}`;
          return `<tr><td>${part}, ${material}, ${size} mm</td><td>${number}</td><td>${price(1)}</td><td>${price(0.9)}</td></tr>`;
        }),
      ),
    )
    .join("\n");
}

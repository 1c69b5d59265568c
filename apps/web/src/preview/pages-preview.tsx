import { visible, type FilePreviewOf, type PlacedText } from "@bron/protocol";
import { previewWords } from "../words/preview.ts";

type Pages = FilePreviewOf<"pages">;

/** The first pages of a PDF: their texts where they are on the paper. */
export function PagesPreview({ preview: { pages, pageCount } }: { readonly preview: Pages }) {
  return (
    <div className="grid min-w-xl gap-4 bg-raised p-4">
      <p className="sticky left-4 w-fit max-w-[calc(100vw-8rem)] text-sm text-quiet">
        {previewWords.textOnly}
      </p>
      {pages.map((page) => (
        <figure key={page.number} className="m-0">
          <Paper page={page} />
          <figcaption className="mt-1 text-center text-xs text-quiet">
            {previewWords.page(page.number, pageCount)}
          </figcaption>
        </figure>
      ))}
    </div>
  );
}

/** White in both themes, like the paper that is printed. */
function Paper({
  page: { width, height, texts: placed },
}: {
  readonly page: Pages["pages"][number];
}) {
  if (placed.length === 0)
    return (
      <p className="grid min-h-40 place-content-center rounded-sm bg-white p-6 text-center text-neutral-600 shadow-sm">
        {previewWords.noText}
      </p>
    );
  return (
    <>
      <p className="sr-only">{placed.map(({ text }) => visible(text)).join(" ")}</p>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        aria-hidden="true"
        className="block w-full rounded-sm bg-white fill-black font-sans shadow-sm"
      >
        {placed.map((one, index) => (
          <Placed key={index} {...one} />
        ))}
      </svg>
    </>
  );
}

/** Our letters are stretched to the width of the letters in the file. */
function Placed({ x, y, size, width, text }: PlacedText) {
  if (size <= 0) return null;
  return (
    <text
      x={x}
      y={y}
      fontSize={size}
      {...(width > 0 ? { textLength: width, lengthAdjust: "spacingAndGlyphs" } : {})}
    >
      {visible(text)}
    </text>
  );
}

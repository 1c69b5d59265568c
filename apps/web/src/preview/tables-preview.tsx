import { visible, type FilePreviewOf } from "@bron/protocol";
import { previewWords } from "../words/preview.ts";

/** The first rows of each table. The first row is taken for its header. */
export function TablesPreview({
  preview: { tables },
}: {
  readonly preview: FilePreviewOf<"tables">;
}) {
  if (tables.length === 0)
    return <p className="p-6 text-center text-quiet">{previewWords.emptyTable}</p>;
  return tables.map(({ name, rows: [header = [], ...rows] }, index) => (
    <table
      key={`${index} ${name}`}
      className="w-max min-w-full border-separate border-spacing-0 text-sm tabular-nums"
    >
      {(name !== "" || tables.length > 1) && (
        <caption className="px-3 pt-3 pb-1 text-start font-medium text-quiet">
          {name === "" ? previewWords.sheet(index + 1) : visible(name)}
        </caption>
      )}
      <thead>
        <tr>
          {header.map((cell, column) => (
            <th
              key={column}
              scope="col"
              className="sticky top-0 border-b border-edge bg-raised px-3 py-1.5 font-medium"
            >
              <Cell text={cell} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, number) => (
          <tr key={number}>
            {row.map((cell, column) => (
              <td key={column} className="px-3 py-1.5">
                <Cell text={cell} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  ));
}

/** A table is as wide as its texts, but a single long text does not push the others away. */
function Cell({ text }: { readonly text: string }) {
  return <div className="max-w-80 wrap-anywhere">{visible(text)}</div>;
}

/**
 * Changes what the server prints for `npm run dev`, where vite serves the page. Addresses lead to
 * vite, which forwards the API, and the hint to build the page is left out.
 */
export function toDevOutput(
  output: string,
  { server, page }: { readonly server: string; readonly page: string },
): string {
  return output
    .replaceAll(" Run npm start to build the page that shows them.", ` View them at ${page}/demo`)
    .replaceAll(server, page);
}

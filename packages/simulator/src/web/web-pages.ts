import { catalogRows } from "./catalog.ts";
import type { WebPage } from "./web-service.ts";

const page = (title: string, body: string): WebPage => ({
  mediaType: "text/html; charset=utf-8",
  body: `<!doctype html>\n<html lang="en">\n<head><meta charset="utf-8"><title>${title}</title></head>\n<body>\n${body}\n</body>\n</html>\n`,
});

/** The simulated web: a few pages of companies that appear in the mailbox. */
export const seededPages: Readonly<Record<string, WebPage>> = {
  "https://www.lindqvist.example/": page(
    "Lindqvist Cargo",
    `<h1>Lindqvist Cargo</h1>
<p>Cargo bikes, built in Kiel since 2011.</p>
<h2>Models</h2>
<table>
<tr><th>Model</th><th>Load</th><th>Price</th></tr>
<tr><td>Hafen</td><td>180 kg</td><td>4,290 EUR</td></tr>
<tr><td>Speicher</td><td>220 kg</td><td>4,890 EUR</td></tr>
<tr><td>Elbe (electric)</td><td>200 kg</td><td>6,450 EUR</td></tr>
</table>
<p>Questions? Write to <a href="mailto:hello@lindqvist.example">hello@lindqvist.example</a>.</p>`,
  ),
  "https://www.brandt-metall.example/prices": page(
    "Brandt Metall: prices",
    `<h1>Prices, valid for orders of this quarter</h1>
<table>
<tr><th>Part</th><th>From 100</th><th>From 500</th></tr>
<tr><td>Frame tube 38 mm, 6 m</td><td>41.80 EUR</td><td>38.20 EUR</td></tr>
<tr><td>Dropout, steel</td><td>6.40 EUR</td><td>5.75 EUR</td></tr>
<tr><td>Head tube, machined</td><td>12.90 EUR</td><td>11.60 EUR</td></tr>
</table>
<p>Delivery takes ten working days. Prices are without tax.</p>`,
  ),
  "https://www.brandt-metall.example/catalog": page(
    "Brandt Metall: catalog",
    `<h1>Catalog of all parts</h1>
<table>
<tr><th>Part</th><th>Number</th><th>From 100</th><th>From 500</th></tr>
${catalogRows()}
</table>
<p>Delivery takes ten working days. Prices are without tax.</p>`,
  ),
  "https://www.northwind-parts.example/delivery": page(
    "Northwind Parts: delivery",
    `<h1>Delivery</h1>
<ul><li>Order before 14:00: leaves the same day</li><li>Germany: two to three days</li><li>Returns within 30 days</li></ul>`,
  ),
};

// Serves the shop alone, to look at it. Its chat has no handler then.
import { createShop } from "./create-shop.ts";
import { listen } from "./listen.ts";

const { url } = await listen(createShop(), Number(process.env["PORT"] ?? 4390));
process.stdout.write(`The shop is at ${url}\n`);

import { describe, expect, it } from "vitest";
import { guessLanguage } from "./guess-language.ts";

const texts: readonly (readonly [string, string])[] = [
  ["en", "Please find attached the invoice for the month of March, payable within thirty days."],
  ["de", "Sehr geehrte Damen und Herren, anbei erhalten Sie die Rechnung für den Monat März."],
  ["fr", "Veuillez trouver ci-joint la facture du mois de mars, payable sous trente jours."],
  ["es", "Adjuntamos la factura del mes de marzo, que deberá pagarse en un plazo de treinta días."],
  [
    "ja",
    "三月分の請求書を添付いたします。三十日以内にお支払いください。よろしくお願い申し上げます。ご不明な点がございましたらご連絡ください。",
  ],
];

describe("the language of a text", () => {
  it.for(texts)("%s is detected from a sentence", async ([code, text]) => {
    expect(await guessLanguage(text)).toMatchObject({ code });
  });

  it("is detected with more confidence if the text has only one", async () => {
    const [, english = ""] = texts[0] ?? [];
    const [, german = ""] = texts[1] ?? [];
    const pure = await guessLanguage(`${english} `.repeat(10));
    const mixed = await guessLanguage(`${`${english} `.repeat(10)}${`${german} `.repeat(6)}`);
    expect(pure?.code).toBe("en");
    expect(mixed?.code).toBe("en");
    expect(mixed?.confidence ?? 1).toBeLessThan(pure?.confidence ?? 0);
  });

  it("is not detected from few letters or from tables of names and numbers", async () => {
    for (const text of [
      "",
      "Hello world",
      "1234 ".repeat(100),
      "Smith Müller Rossi García Dupont Nowak Jansen Andersen Silva Popescu",
    ])
      expect(await guessLanguage(text)).toBeUndefined();
  });
});

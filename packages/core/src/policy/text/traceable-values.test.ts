import { describe, expect, it } from "vitest";
import { contentValues } from "./content-values.ts";

describe("values that lead money or an answer to someone", () => {
  it.each([
    ["DE02120300000000202051", "DE02120300000000202051"],
    ["our account is DE02 1203 0000 0000 2020 51, thanks", "DE02120300000000202051"],
    ["iban:de02-1203-0000-0000-2020-51.", "DE02120300000000202051"],
    ["ＤＥ０２ 1203 0000 0000 2020 51", "DE02120300000000202051"],
    ["to DE 02 12 03 00 00 00 00 20 20 51 today", "DE02120300000000202051"],
    ["G B 2 9 N W B K 6 0 1 6 1 3 3 1 9 2 6 8 1 9", "GB29NWBK60161331926819"],
    ["NL91 ABNA 0417 1643 00", "NL91ABNA0417164300"],
    ["Please pay to KontoDE02120300000000202051now", "DE02120300000000202051"],
    ["DE02\n1203 0000 - 0000_2020/51", "DE02120300000000202051"],
    ["card4111111111111111x", "4111111111111111"],
    ["x0x52908400098527886E0F7030069857D2E4169EE7", "0x52908400098527886e0f7030069857d2e4169ee7"],
    ["Card 4111 1111 1111 1111 please", "4111111111111111"],
    ["write to Accounts@Evil.example", "accounts@evil.example"],
    ["<a href='mailto:accounts@evil.example'>", "accounts@evil.example"],
    ["<a href='tel:+49-30-1234567'>", "tel:+49301234567"],
    ["0x52908400098527886E0F7030069857D2E4169EE7", "0x52908400098527886e0f7030069857d2e4169ee7"],
    ["pay 1BoatSLRHtKNngkdXEeobR76b53LETtpyT", "1BoatSLRHtKNngkdXEeobR76b53LETtpyT"],
    ["bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq", "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq"],
    ["DE02–1203–0000–0000–2020–51", "DE02120300000000202051"],
    ["DE02:1203·0000, 0000: 2020: 51", "DE02120300000000202051"],
    ["DЕ02 1203 0000 0000 2020 51", "DE02120300000000202051"],
    ["Card 4111 1111 1111 1111 12/28", "4111111111111111"],
    ["Card 5 4111 1111 1111 1111", "4111111111111111"],
    ["2223 0031 2200 3222", "2223003122003222"],
    ["1Boat\u200bSLRHtKNngkdXEeobR76b53LETtpyT", "1BoatSLRHtKNngkdXEeobR76b53LETtpyT"],
    ["TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE", "TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE"],
    ["tel:*21*0900123#", "tel:*21*0900123#"],
    ["sms:+49-900-123456", "sms:+49900123456"],
  ])("%s", (text, value) => expect(contentValues(text).values).toEqual([value]));

  it.each([
    "DE03 1203 0000 0000 2020 51",
    "order 4111 1111 1111 1112",
    "Invoice NW-2026-608 of 12.04.2027, total 1.234,56 EUR",
    "ab12 is a room",
    // With these letters, the check digits fit.
    "at 27 euros for the meeting",
    "call 030 1234567",
    "order 9411 1111 1111 1111",
    "digest 3b1c4111111111111111aa00000000000000000000ff",
  ])("%s has none", (text) => expect(contentValues(text).values).toEqual([]));
});

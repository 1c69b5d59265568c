import { expect, it } from "vitest";
import { fileType } from "./file-type.ts";

it.each([
  ["application/pdf", "PDF"],
  ["text/plain; charset=utf-8", "Text"],
  ["image/webp", "Image"],
  ["application/x-unknown", "File"],
])("names the type %s: %s", (type, name) => expect(fileType(type)).toBe(name));

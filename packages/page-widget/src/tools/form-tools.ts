import type { JsonObject } from "@bron/page/wire";
import { fill } from "../act/fill.ts";
import { press } from "../act/press.ts";
import { clean, nameOf } from "../page/roles.ts";
import { isField } from "../page/secrets.ts";
import { isRendered } from "../page/visible.ts";
import { riskOfElement } from "../risk/element-risk.ts";
import { withReport, type ElementCallDeps } from "./element-calls.ts";
import type { ToolNames } from "./tool-names.ts";
import { argText, schemaOf, ToolProblem, type Tool } from "./tool.ts";

/**
 * Forms that their site declared as tools with WebMCP's attributes, for browsers without it:
 * `toolname`, `tooldescription`, `toolparamdescription`, `toolautosubmit`.
 */
export function formTools(names: ToolNames, deps: ElementCallDeps): Tool[] {
  if ("modelContext" in document) return [];
  return Array.from(document.querySelectorAll<HTMLFormElement>("form[toolname]"))
    .filter((form) => isRendered(form) && !deps.view.secrets.isPrivate(form))
    .map((form) => formTool(form, names, deps));
}

function formTool(form: HTMLFormElement, names: ToolNames, deps: ElementCallDeps): Tool {
  const { view } = deps;
  const wanted = form.getAttribute("toolname") ?? "form";
  const fields = () =>
    Array.from(form.elements).filter(
      (field): field is HTMLInputElement =>
        isField(field) &&
        field.name !== "" &&
        !/^(?:submit|button|reset|image)$/.test(field.type) &&
        !view.secrets.isSecretField(field) &&
        !view.secrets.isPrivate(field),
    );
  const properties = Object.fromEntries(
    fields().map((field) => [field.name, propertyOf(field, nameOf(field, view.leaveOut))]),
  );
  const required = fields()
    .filter((field) => field.required)
    .map(({ name }) => name);
  const submits = form.hasAttribute("toolautosubmit");
  const name = names.nameFor(`form:${wanted}`, wanted.replaceAll(/[^A-Za-z0-9_.-]+/g, "-"));
  return {
    name,
    description: clean(form.getAttribute("tooldescription") ?? `Fills in the form ${wanted}`),
    inputSchema: schemaOf(properties, required),
    prepare(args) {
      if (!form.isConnected) throw new ToolProblem("This form is not on the page any more.");
      return {
        risk: submits ? riskOfElement(form, "submit", deps.risk) : "reversible",
        words: submits ? `Fill in and submit “${wanted}”` : `Fill in “${wanted}”`,
        details: Object.entries(args).map(([key, value]) => [key, argText(value)] as const),
        element: form,
        run: (signal) =>
          withReport(submits, signal, () => {
            for (const field of fields())
              if (args[field.name] !== undefined) fill(field, argText(args[field.name]));
            if (!submits) return { did: "Filled in. The visitor submits it." };
            press(form, "submit");
            return { did: "Filled in and submitted" };
          }),
      };
    },
  };
}

function propertyOf(field: HTMLInputElement, label: string): JsonObject {
  const description = field.getAttribute("toolparamdescription") ?? label;
  if (field.localName !== "select") return { type: "string", description };
  const options = [...(field as unknown as HTMLSelectElement).options].slice(0, 50);
  return { type: "string", description, enum: options.map(({ value }) => value) };
}

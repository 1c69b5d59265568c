import {
  h,
  vModelCheckbox,
  vModelSelect,
  vModelText,
  withDirectives,
  type VNode,
} from "@vue/runtime-dom";

type Model = Record<string, string | boolean>;

/** What `v-model` compiles to. */
export function field<T extends object>(
  label: string,
  model: T,
  name: keyof T & string,
  attributes: Readonly<Record<string, string | boolean>> = {},
): VNode {
  const values = model as Model;
  const set = (value: string) => (values[name] = value);
  const input = h("input", { ...attributes, "onUpdate:modelValue": set });
  return h("label", [`${label} `, withDirectives(input, [[vModelText, values[name]]])]);
}

export function choice<T extends object>(
  label: string,
  model: T,
  name: keyof T & string,
  options: readonly (readonly [value: string, label: string])[],
): VNode {
  const values = model as Model;
  const set = (value: string) => (values[name] = value);
  const children = options.map(([value, text]) => h("option", { value }, text));
  const select = h("select", { "onUpdate:modelValue": set }, children);
  return h("label", [`${label} `, withDirectives(select, [[vModelSelect, values[name]]])]);
}

export function box<T extends object>(label: string, model: T, name: keyof T & string): VNode {
  const values = model as Model;
  const set = (value: boolean) => (values[name] = value);
  const input = h("input", { type: "checkbox", "onUpdate:modelValue": set });
  return h("label", [withDirectives(input, [[vModelCheckbox, values[name]]]), ` ${label}`]);
}

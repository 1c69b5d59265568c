export interface Label {
  readonly id: string;
  readonly name: string;
  readonly type: "system" | "user";
}

const system = (id: string): Label => ({ id, name: id, type: "system" });

export const labels: readonly Label[] = [
  ..."INBOX SENT DRAFT TRASH SPAM UNREAD STARRED IMPORTANT CHAT CATEGORY_PERSONAL CATEGORY_SOCIAL CATEGORY_PROMOTIONS CATEGORY_UPDATES CATEGORY_FORUMS"
    .split(" ")
    .map(system),
  { id: "Label_1", name: "Invoices", type: "user" },
  { id: "Label_2", name: "Customers", type: "user" },
  { id: "Label_3", name: "Suppliers/Materials", type: "user" },
];

/** Gmail puts these on by itself, and nobody else may. */
const fixedLabels = new Set(["SENT", "DRAFT", "CHAT"]);

export function isChangeable(id: string): boolean {
  return !fixedLabels.has(id) && labels.some((label) => label.id === id);
}

/** A name as a query has it: without case, with dashes for what a query cannot hold. */
export function findLabelId(name: string): string | undefined {
  const wanted = queryName(name);
  return labels.find((label) => queryName(label.name) === wanted)?.id;
}

const queryName = (name: string) => name.toLowerCase().replace(/[\s/&]+/g, "-");

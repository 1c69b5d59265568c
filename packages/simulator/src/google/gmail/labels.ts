interface Label {
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

/** System labels that only Gmail may set. */
const fixedLabels = new Set(["SENT", "DRAFT", "CHAT"]);

export function isChangeable(id: string): boolean {
  return !fixedLabels.has(id) && labels.some((label) => label.id === id);
}

/** Finds a label by its name in a query: without case, with dashes for special characters. */
export function findLabelId(name: string): string | undefined {
  const wanted = queryName(name);
  return labels.find((label) => queryName(label.name) === wanted)?.id;
}

const queryName = (name: string) => name.toLowerCase().replace(/[\s/&]+/g, "-");

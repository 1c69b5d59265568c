/** Formats that a model gets wrong often. Each test takes linear time. Others are not checked. */
const formats: Readonly<Record<string, (text: string) => boolean>> = {
  email: (text) => /^[^\s@]+@[^\s@]+$/.test(text) && text.length <= 320,
  date: (text) => isDate(text),
  "date-time": (text) =>
    /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:[Zz]|[+-]\d{2}:\d{2})$/.test(text) &&
    isDate(text.slice(0, 10)),
  uri: (text) => URL.canParse(text),
  uuid: (text) => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text),
};

export function hasFormat(text: string, format: string): boolean {
  const check = Object.hasOwn(formats, format) ? formats[format] : undefined;
  return check?.(text) !== false;
}

function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

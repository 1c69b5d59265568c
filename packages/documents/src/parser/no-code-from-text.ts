// Loaded first in every thread of the parser. Makes `eval`, the constructors of functions and
// node:vm throw, so that no library turns the text of a document into code. V8 has a flag for
// `eval` and the constructors. With it Node cannot use its own compiled code, and a short document
// takes half as long again.
import { syncBuiltinESMExports } from "node:module";
import vm from "node:vm";

function refuse(): never {
  throw new EvalError("A parser does not turn text into code.");
}

/** Leaves no reference to the original, so that it does not matter who writes to the property. */
function replace(owner: object, name: string, value: unknown): void {
  Object.defineProperty(owner, name, { value, writable: true });
}

const kinds = [
  function plain() {},
  async function later() {},
  function* several() {},
  async function* severalLater() {},
];
for (const kind of kinds) {
  const prototype: object = Object.getPrototypeOf(kind);
  // It keeps the prototype, because libraries ask whether a value is an instance of Function.
  const constructor = Object.assign(
    function () {
      return refuse();
    },
    { prototype },
  );
  replace(prototype, "constructor", constructor);
}
replace(globalThis, "Function", Function.prototype.constructor);
replace(globalThis, "eval", refuse);
for (const name of Object.keys(vm))
  if (typeof Reflect.get(vm, name) === "function") replace(vm, name, refuse);
syncBuiltinESMExports();

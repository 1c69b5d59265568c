interface PlacedOrder {
  readonly id: string;
  readonly cart: string;
  readonly name: string;
  readonly address: string;
}

/** The orders since the shop was started. Nothing is charged, and no card is kept. */
export interface Orders {
  add(order: Omit<PlacedOrder, "id">): string;
  all(): readonly PlacedOrder[];
}

const firstNumber = 1001;
const maxKept = 1_000;

export function createOrders(): Orders {
  const orders: PlacedOrder[] = [];
  let next = firstNumber;
  return {
    add(order) {
      const id = String(next);
      next += 1;
      orders.push({ id, ...order });
      if (orders.length > maxKept) orders.shift();
      return id;
    },
    all: () => orders,
  };
}

import type { PathParserName } from '#domain/expression/engine.ts'

export const SAMPLE = JSON.stringify(
  {
    store: {
      name: 'Casa Lume',
      orders: [
        { id: 'A-17', customer: 'Ana', total: 129.9, paid: true, items: ['lamp', 'shade'] },
        { id: 'A-18', customer: 'Rui', total: 42.5, paid: false, items: ['bulb'] },
        { id: 'A-19', customer: 'Eva', total: 310, paid: true, items: ['chandelier', 'bulb', 'switch'] },
      ],
    },
  },
  null,
  2,
)

interface Example {
  /** Translation key under `tool:jsonpath.example`. */
  readonly key: string
  readonly expression: string
}

/** Over SAMPLE. */
export const EXAMPLES: Readonly<Record<PathParserName, readonly Example[]>> = {
  JSONPath: [
    { key: 'each', expression: '$.store.orders[*].customer' },
    { key: 'filter', expression: '$.store.orders[?@.paid == true].id' },
    { key: 'greater', expression: '$.store.orders[?@.total > 100]' },
    { key: 'last', expression: '$.store.orders[-1]' },
    { key: 'anywhere', expression: '$..items[0]' },
  ],
  JsonAta: [
    { key: 'each', expression: 'store.orders.customer' },
    { key: 'filter', expression: 'store.orders[paid].id' },
    { key: 'greater', expression: 'store.orders[total > 100]' },
    { key: 'sum', expression: '$sum(store.orders[paid].total)' },
    { key: 'shape', expression: 'store.orders.{ "who": customer, "count": $count(items) }' },
  ],
}

import { describe, expect, it } from 'vitest'
import { parseFlowFile } from './parse-flow-file.ts'

const link = { fromOperator: 0, fromConnector: 'o', toOperator: 1, toConnector: 2 }

describe('reading a flow file', () => {
  it('accepts a file without format, for any types, and reports unknown types', () => {
    const parsed = parseFlowFile({
      operators: { 0: { type: 'demo::load' }, 1: { type: 'text' }, 2: {}, 3: { type: 'demo::load' } },
      links: { a: link },
      operatorTypes: {},
    })

    expect(parsed).toMatchObject({
      ok: true,
      unknown: ['demo::load'],
      file: { links: { a: { fromOperator: '0', fromConnector: 'o', toOperator: '1', toConnector: '2' } } },
    })
  })

  let nested: unknown = 1
  for (let depth = 0; depth < 100_000; depth += 1) nested = [nested]

  it.each<[string, unknown, string]>([
    ['no object', [], ''],
    ['null', null, ''],
    ['text', 'operators', ''],
    ['no operators', { links: {} }, 'operators'],
    ['no links', { operators: {} }, 'links'],
    ['operators in a list', { operators: [], links: {} }, 'operators'],
    ['links in a list', { operators: {}, links: [] }, 'links'],
    ['another format', { format: 'bpmn', version: 1, operators: {}, links: {} }, 'format'],
    ['another version', { format: 'parley-flow', version: 2, operators: {}, links: {} }, 'version'],
    ['an operator that is no object', { operators: { a: 5 }, links: {} }, 'operators.a'],
    ['a place that is no number', { operators: { a: { top: 'up' } }, links: {} }, 'operators.a.top'],
    ['a type that is no string', { operators: { a: { type: {} } }, links: {} }, 'operators.a.type'],
    ['properties in a list', { operators: { a: { properties: [] } }, links: {} }, 'operators.a.properties'],
    ['a link without an end', { operators: {}, links: { a: { fromOperator: 'x' } } }, 'links.a.fromConnector'],
    [
      'a sub-connector that is an object',
      { operators: {}, links: { a: { ...link, fromSubConnector: {} } } },
      'links.a.fromSubConnector',
    ],
    ['an unpaired surrogate', { operators: { a: { title: '\ud800' } }, links: {} }, 'operators.a.title'],
    [
      'a number that JSON can not write',
      { operators: { a: { top: Number.POSITIVE_INFINITY } }, links: {} },
      'operators.a.top',
    ],
  ])('refuses %s and says where', (_, input, path) => {
    expect(parseFlowFile(input)).toMatchObject({
      ok: false,
      errors: expect.arrayContaining([expect.objectContaining({ path })]),
    })
  })

  it('refuses endless nesting without falling over', () => {
    const parsed = parseFlowFile({ operators: { a: { properties: { nested } } }, links: {} })

    expect(parsed).toMatchObject({ ok: false, errors: [{ code: 'depth' }] })
  })

  const long = 'x'.repeat(1_000_001)
  const text = 'x'.repeat(4_000_001)
  const key = 'k'.repeat(1001)
  const at = (properties: object, more = {}) => ({
    operators: { a: { type: 'restservice', properties, ...more } },
    links: {},
  })
  it.each<[string, object, string]>([
    ['a script', at({ input: text }), 'operators.a.properties.input'],
    ['an unknown property', at({ other: { deep: long } }), 'operators.a.properties.other'],
    ['an item of a list', at({ headers: { name: text } }), 'operators.a.properties.headers.item_1.value'],
    ['a rich text', at({ text: 'x\n'.repeat(2_100_000) }, { type: 'text' }), 'operators.a.properties.text'],
    ['a title', at({}, { title: long }), 'operators.a.title'],
    ['a type', at({}, { type: key }), 'operators.a.type'],
    ['a member of the operator', at({}, { internal: long }), 'operators.a.properties'],
    ['a key', at({ [key]: 1 }), `operators.a.properties.${key.slice(0, 100)}`],
    ['an id', { operators: { [key]: {} }, links: {} }, `operators.${key.slice(0, 100)}`],
    ['a connector', { operators: {}, links: { l: { ...link, fromConnector: key } } }, 'links.l.fromConnector'],
  ])('refuses %s that is longer than a room accepts [P-76]', (_, input, path) => {
    const parsed = parseFlowFile(input)
    expect(parsed).toMatchObject({ ok: false })
    expect(parsed.ok ? [] : parsed.errors.map(error => [error.path.split('.value')[0], error.code])).toContainEqual([
      path.split('.value')[0],
      'toolong',
    ])
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as Y from 'yjs'
import { blocks } from '#schemas/blocks/registry.ts'
import type { FlowFile } from '#schemas/flow/file.ts'
import { createFlow } from '../document/document.ts'
import { importFlow, patchFlow } from '../document/patch-flow.ts'
import { readFlow } from '../document/read-flow.ts'
import { exportFlow } from './export-flow.ts'
import { parseFlowFile } from './parse-flow-file.ts'

const key = fc.oneof(
  { weight: 6, arbitrary: fc.string({ unit: 'grapheme', maxLength: 6 }) },
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      '__proto__',
      'constructor',
      'toString',
      '~file',
      '~json',
      '~order',
      'order',
      'id',
      'label',
      '0',
      '1',
      '',
      'title',
      'name',
      'value',
    ),
  },
)
const json = fc.jsonValue({ maxDepth: 4, stringUnit: 'binary' }).map(value => JSON.parse(JSON.stringify(value)))
const object = (value: fc.Arbitrary<unknown>) =>
  fc
    .array(fc.tuple(key, value), { maxLength: 4 })
    .map(pairs => JSON.parse(`{${pairs.map(([k, v]) => `${JSON.stringify(k)}:${JSON.stringify(v)}`).join(',')}}`))
const item = fc.oneof(
  object(json),
  fc.array(object(json), { maxLength: 3 }),
  fc.string(),
  fc.record({ id: fc.oneof(fc.string(), fc.integer(), fc.constantFrom('a', 'b', 'output_1')), label: fc.string() }),
)
const strange = fc.oneof(
  json,
  object(json),
  fc.array(item, { maxLength: 4 }),
  fc.string({ unit: 'binary' }),
  object(fc.string()),
)
const connectors = fc.oneof(
  fc.dictionary(
    fc.constantFrom('output_1', 'output_2', 'output_default', 'a', '2', '~x', '__proto__'),
    fc.record({ label: fc.string() }),
  ),
  json,
)

const types = [...Object.keys(blocks), 'demo::load_file', 'constructor', '__proto__']
const operator = fc.constantFrom(...types).chain(type => {
  const block = Object.hasOwn(blocks, type) ? blocks[type as keyof typeof blocks] : undefined
  const known = Object.keys(block?.fields ?? {})
  const property =
    known.length === 0
      ? key
      : fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...known) }, { weight: 1, arbitrary: key })
  const properties = fc
    .tuple(fc.array(fc.tuple(property, strange), { maxLength: 5 }), fc.option(connectors, { nil: undefined }))
    .map(([pairs, outputs]) => {
      const members = outputs === undefined ? pairs : [...pairs, ['outputs', outputs] as const]
      return JSON.parse(`{${members.map(([k, v]) => `${JSON.stringify(k)}:${JSON.stringify(v)}`).join(',')}}`)
    })
  const coordinate = fc.oneof(
    fc.integer({ min: -5000, max: 5000 }),
    fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e6, max: 1e6 }).map(n => n + 0),
    fc.constant('120'),
  )
  return fc
    .tuple(
      fc.record(
        {
          type: fc.constant(type),
          title: fc.string({ unit: 'binary' }),
          top: coordinate,
          left: coordinate,
          properties,
          method: json,
          internal: json,
        },
        { requiredKeys: [] },
      ),
    )
    .map(([value]) => JSON.parse(JSON.stringify(value)))
})

const flow = fc.uniqueArray(key, { minLength: 1, maxLength: 4 }).chain(ids => {
  const end = fc.constantFrom(...ids)
  const connector = fc.oneof(fc.constantFrom('output_1', 'output_default', 'a'), fc.string())
  const sub = fc.option(fc.oneof(fc.integer(), fc.string(), fc.constant(null)), { nil: undefined })
  const link = fc.record({
    fromOperator: end,
    fromConnector: connector,
    fromSubConnector: sub,
    toOperator: end,
    toConnector: connector,
    toSubConnector: sub,
    color: fc.option(fc.string(), { nil: undefined }),
    note: fc.option(json, { nil: undefined }),
  })
  return fc.tuple(fc.tuple(...ids.map(() => operator)), fc.array(link, { maxLength: 5 })).map(([operators, links]) => {
    const members = ids.map((id, index) => `${JSON.stringify(id)}:${JSON.stringify(operators[index])}`)
    const joined = links.map((each, index) => `"l${index}":${JSON.stringify(each)}`)
    return JSON.parse(`{"operators":{${members.join(',')}},"links":{${joined.join(',')}}}`) as unknown
  })
})

const canonical = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(canonical)
  if (typeof value !== 'object' || value === null) return value
  return Object.entries(value)
    .map(([name, member]) => [name, canonical(member)])
    .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1))
}
const operatorsOf = (file: FlowFile) => canonical(file.operators)
const linksOf = (file: FlowFile) =>
  Object.values(file.links)
    .map(link => JSON.stringify(canonical(link)))
    .sort()

const read = (input: unknown): FlowFile => {
  const parsed = parseFlowFile(input)
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors))
  return parsed.file
}

describe('flow file', () => {
  it('survives import and export, for any types, shapes and keys [D-2.07] [D-3.12.50] [D-3.12.51] [D-3A.01]', () => {
    fc.assert(
      fc.property(flow, input => {
        const file = read(input)
        const doc = importFlow(file)
        const replica = createFlow(Y.encodeStateAsUpdate(doc))

        const exported = exportFlow(replica)

        expect(operatorsOf(exported)).toEqual(operatorsOf(file))
        expect(linksOf(exported)).toEqual(linksOf(file))
      }),
      { numRuns: 400 },
    )
  })

  it('written again changes nothing', () => {
    fc.assert(
      fc.property(flow, input => {
        const file = read(input)
        const doc = importFlow(file)
        const before = Y.encodeStateVector(doc)
        let updates = 0
        doc.on('update', () => {
          updates += 1
        })

        patchFlow(doc, file, 'again')
        patchFlow(doc, exportFlow(doc), 'again')

        expect(updates).toBe(0)
        expect(Y.encodeStateVector(doc)).toEqual(before)
      }),
      { numRuns: 150 },
    )
  })

  it('leaves nothing behind of an empty text that the type did not know and the new one declares', () => {
    const operator = (members: object) => ({ format: 'parley-flow', version: 1, operators: { a: members }, links: {} })
    const doc = importFlow(read(operator({ properties: { retryPrompt: '' } })))
    const target = read(operator({ type: 'prompt' }))

    patchFlow(doc, target, 'restore')

    expect(operatorsOf(exportFlow(doc))).toEqual(operatorsOf(target))
  })

  it('turns any flow into any other in place', () => {
    fc.assert(
      fc.property(flow, flow, (from, to) => {
        const target = read(to)
        const doc = importFlow(read(from))

        patchFlow(doc, target, 'restore')

        expect(operatorsOf(exportFlow(doc))).toEqual(operatorsOf(target))
        expect(linksOf(exportFlow(doc))).toEqual(linksOf(target))
      }),
      { numRuns: 250 },
    )
  })

  it('with places and texts that no view has room for comes out as it went in, and is no wait', () => {
    const text = 'linha\n'.repeat(200_000)
    const operators = {
      far: { type: 'text', title: '', top: 1e308, left: -1e308, properties: {} },
      long: { type: 'text', title: '', top: 0, left: 0, properties: { text } },
    }
    const file = read({ operators, links: {} })
    const start = process.cpuUsage()
    const doc = importFlow(file)

    expect(operatorsOf(exportFlow(doc))).toEqual(operatorsOf(file))
    const { nodes } = readFlow(doc)
    expect(nodes.get('far')).toMatchObject({ x: -10_000_000, y: 10_000_000 })
    expect(nodes.get('long')?.properties.text).toBe(text)

    patchFlow(doc, read({ operators: {}, links: {} }), 'restore')
    const { user, system } = process.cpuUsage(start)
    expect((user + system) / 1000).toBeLessThan(2000)
  })
})

import { expect, it } from 'vitest'
import type { Json } from '#schemas/event.ts'
import { importFlow } from '../document/patch-flow.ts'
import { readFlow } from '../document/read-flow.ts'
import { parseFlowFile } from '../file/parse-flow-file.ts'
import { lintExpressions } from './lint-expression.ts'

const flowOf = (operators: {
  readonly [id: string]: { readonly type: string; readonly properties: { [name: string]: Json } }
}) => {
  const parsed = parseFlowFile({
    format: 'parley-flow',
    version: 1,
    operators: Object.fromEntries(
      Object.entries(operators).map(([id, operator]) => [id, { title: id, top: 0, left: 0, ...operator }]),
    ),
    links: {},
  })
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors))
  return readFlow(importFlow(parsed.file))
}

const JEXL = { parser: 'Jexl', pathParser: 'JSONPath' } as const
const FLOW = flowOf({
  ask: { type: 'prompt', properties: { varname: 'nome', data: { type: 'text', text: 'Oi, {{nome}}. {{outro}}' } } },
  call: {
    type: 'restservice',
    properties: {
      url: 'https://x.example/{{nome +}}',
      headers: [{ id: 'h', name: 'A', value: '{loose one}' }],
      input: '{"a": <nome>, "b": <<b c>>}',
    },
  },
  data: { type: 'transformdata', properties: { input: '{{nome}}', rule: '$.a[' } },
  card: { type: 'herocard', properties: { title: 'x <nome> \\{{ 1 < 2', subtitle: '{nome' } },
})

it('a rule is a path if it begins with a dollar sign, else an expression with its input and the variables', async () => {
  const rule = (text: string) => flowOf({ data: { type: 'transformdata', properties: { input: '', rule: text } } })
  const faulty = [{ code: 'block.expression', severity: 'error', block: 'data', field: 'rule' }]
  for (const text of ['input.a.b * 2', 'input.rows[.n > 1]', '$.a.b', ' $.a'])
    expect(await lintExpressions(rule(text), JEXL, { variable: new Set() })).toEqual([])
  for (const text of ['input.a *', '$.a[']) expect(await lintExpressions(rule(text), JEXL)).toEqual(faulty)
  expect(await lintExpressions(rule('input.a + outro'), JEXL, { variable: new Set() })).toMatchObject([
    { code: 'block.variable', name: 'outro' },
  ])
})

it('reports expressions that fail to parse, with their field; possible literals do not block publishing', async () => {
  expect(await lintExpressions(FLOW, JEXL)).toEqual([
    { code: 'block.expression', severity: 'error', block: 'call', field: 'url' },
    { code: 'block.expression', severity: 'warning', block: 'call', field: 'headers.value' },
    { code: 'block.expression', severity: 'error', block: 'call', field: 'input' },
    { code: 'block.expression', severity: 'error', block: 'data', field: 'rule' },
  ])
})

it('checks no expression in the settings of a marker, where nothing is evaluated', async () => {
  const settings = { text: '{{nome +}}', color: '<<b c>>' }
  const flow = flowOf({ note: { type: 'marker', properties: { settings } } })
  expect(await lintExpressions(flow, JEXL, { variable: new Set() })).toEqual([])
})

it('a variable is known when the bot has it or the flow gives it a value', async () => {
  const unknown = (await lintExpressions(FLOW, JEXL, { variable: new Set() })).filter(
    ({ code }) => code === 'block.variable',
  )
  expect(unknown).toEqual([
    { code: 'block.variable', severity: 'warning', block: 'ask', field: 'data.text', name: 'outro' },
  ])
  expect(
    (await lintExpressions(FLOW, JEXL, { variable: new Set(['outro']) })).some(({ code }) => code === 'block.variable'),
  ).toBe(false)
})

it('a variable that a block reads by its name is looked for, one that it gives a value is known', async () => {
  const rule = { id: 'r', source: 'variable', comparison: 'equals', values: [] }
  const flow = flowOf({
    way: {
      type: 'condition',
      properties: {
        conditions: [
          { id: 'b', label: 'a', rules: [{ ...rule, variable: 'pedido.total', valueVariable: 'limite' }] },
          { id: 'c', label: 'b', rules: [{ ...rule, source: 'context', variable: 'elsewhere' }] },
        ],
      },
    },
    clear: { type: 'clearvariables', properties: { variables: ['velha', 'limite'] } },
    run: { type: 'handler', properties: { handlerparameters: ['pedido.data', 'context.channel', 'cliente'] } },
    give: { type: 'assignvariables', properties: { variables: [{ id: 'v', name: 'cliente', value: '' }] } },
  })
  const declared = new Map([['limite', [{ datatype: 'number', schema: '', inReach: false }]]])

  const told = await lintExpressions(flow, JEXL, { variable: new Set(), declared })

  expect(told.map(({ code, block, field, name }) => [code, block, field, name])).toEqual([
    ['block.variable', 'way', 'conditions.rules.variable', 'pedido'],
    ['block.scope', 'way', 'conditions.rules.valueVariable', 'limite'],
    ['block.variable', 'clear', 'variables.name', 'velha'],
    ['block.scope', 'clear', 'variables.name', 'limite'],
    ['block.variable', 'run', 'handlerparameters', 'pedido'],
  ])
})

it('a value that is compared with is looked into where it holds a placeholder between double braces', async () => {
  const rule = { id: 'r', source: 'input', comparison: 'in', values: ['{x}', '\\d{2}', '{{limite}}', '{{1 +}}'] }
  const flow = flowOf({ way: { type: 'condition', properties: { conditions: [{ id: 'b', rules: [rule] }] } } })

  expect(await lintExpressions(flow, JEXL, { variable: new Set() })).toEqual([
    { code: 'block.expression', severity: 'error', block: 'way', field: 'conditions.rules.values' },
    { code: 'block.variable', severity: 'warning', block: 'way', field: 'conditions.rules.values', name: 'limite' },
  ])
})

it('reports a variable unused in all flows once, unless this flow now uses it', async () => {
  const unused = ['nome', 'outro', 'sobra']
  const told = await lintExpressions(FLOW, JEXL, { unused })
  expect(told.filter(({ code }) => code === 'variable.unused')).toEqual([
    { code: 'variable.unused', severity: 'warning', block: '', name: 'sobra' },
  ])
})

it('the language is the bot’s', async () => {
  const flow = flowOf({ call: { type: 'restservice', properties: { url: '<@ $uppercase(a) @>{not <this>' } } })
  expect(await lintExpressions(flow, { parser: 'JsonAta', pathParser: 'JsonAta' })).toEqual([])
  expect(await lintExpressions(flowOf({}), JEXL)).toEqual([])
})

it('a masked answer that a message tells is named, one that is only sent on is not [D-5.22]', async () => {
  const masked = (varname: string) => ({ varname, data: { type: 'text', text: 'Senha?', textStyle: 'password' } })
  const flow = flowOf({
    ask: { type: 'prompt', properties: masked('senha') },
    more: { type: 'prompt', properties: masked('pessoa.pin') },
    open: { type: 'prompt', properties: { varname: 'nome', data: { type: 'text', text: 'Nome?' } } },
    told: { type: 'text', properties: { text: '{{nome}}: {{senha}}, {{senhas}}, {{pessoa.pin}} e {{pessoa.nome}}' } },
    card: { type: 'herocard', properties: { title: '<<senha>>' } },
    sent: { type: 'restservice', properties: { url: 'https://x.example', input: '{"a": <<senha>>}' } },
  })

  const findings = (await lintExpressions(flow, JEXL)).filter(({ code }) => code === 'block.masked')

  expect(findings).toEqual([
    { code: 'block.masked', severity: 'warning', block: 'told', field: 'text', name: 'senha' },
    { code: 'block.masked', severity: 'warning', block: 'told', field: 'text', name: 'pessoa.pin' },
    { code: 'block.masked', severity: 'warning', block: 'card', field: 'title', name: 'senha' },
  ])
})

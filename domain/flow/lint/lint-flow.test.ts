import { describe, expect, it } from 'vitest'
import en from '#schemas/locales/en/designer.json' with { type: 'json' }
import es from '#schemas/locales/es/designer.json' with { type: 'json' }
import pt from '#schemas/locales/pt/designer.json' with { type: 'json' }
import { createFlow } from '../document/document.ts'
import { addLink, addNode, setField } from '../document/edit.ts'
import { importFlow } from '../document/patch-flow.ts'
import { readFlow } from '../document/read-flow.ts'
import { parseFlowFile } from '../file/parse-flow-file.ts'
import { lintExpressions } from './lint-expression.ts'
import { type LintContext, lintFlow } from './lint-flow.ts'

const lintFile = (operators: object, links: object = {}, context: LintContext = {}) => {
  const parsed = parseFlowFile({ operators, links })
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors))
  return lintFlow(readFlow(importFlow(parsed.file)), context)
}

describe('lint of a flow', () => {
  it('reports nothing when all outputs are linked and answers stored', () => {
    const doc = createFlow()
    addNode(doc, { id: 's', type: 'start', title: 'Início', x: 0, y: 0 }, 'me')
    addNode(doc, { id: 'p', type: 'prompt', title: 'Nome', x: 0, y: 90 }, 'me')
    addNode(doc, { id: 'e', type: 'enddialog', title: 'Fim', x: 0, y: 180 }, 'me')
    setField(doc, 'p', ['varname'], 'nome', 'me')
    setField(doc, 'p', ['data', 'text'], 'Qual é o seu nome?', 'me')
    const link = (from: string, fromConnector: string, to: string) =>
      addLink(doc, { id: from + to, from, fromConnector, to, toConnector: 'input_1' }, 'me')
    link('s', 'output_1', 'p')
    link('p', 'output_1', 'e')
    link('p', 'output_giveup', 'e')

    expect(lintFlow(readFlow(doc), {})).toEqual([])
  })

  it('is a sub-dialog that comes to run this one again, which nobody may come out of', () => {
    const calling = (subScenario: string) => ({
      type: 'subdialog',
      title: '',
      top: 0,
      left: 0,
      properties: { subScenario },
    })
    const circles = (callers?: ReadonlySet<string>) =>
      lintFile({ a: calling('menu'), b: calling('help') }, {}, callers === undefined ? {} : { callers })
        .filter(({ code }) => code === 'block.circle')
        .map(({ block, severity, field }) => [block, severity, field])
    expect(circles()).toEqual([])
    expect(circles(new Set(['here', 'menu']))).toEqual([['a', 'warning', 'subScenario']])
  })

  it('checks the template of a message and its values, where templates are known [P-2515]', () => {
    const message = (properties: object) => ({
      m: { type: 'sendmessage', title: '', top: 0, left: 0, properties: { text: 'Oi', ...properties } },
    })
    const found = (properties: object, isSendable = true) => {
      const templates = new Map([['t1', { isSendable, variables: ['header', '1'] }]])
      return lintFile(message(properties), {}, { templates })
        .filter(({ code }) => code === 'block.template' || code === 'block.unmapped')
        .map(({ code, severity, field, name }) => [code, severity, field, name])
    }
    const mapped = [
      { variable: '1', value: 'Ana' },
      { variable: 'header', value: '{{pedido}}' },
    ]
    expect(found({ template: 't1', templateValues: mapped })).toEqual([])
    expect(found({ template: 't1', templateValues: { 1: 'Ana', header: '{{pedido}}' } })).toEqual([])
    expect(found({ template: 't1', templateValues: mapped }, false)).toEqual([
      ['block.template', 'error', 'template', undefined],
    ])
    expect(found({ template: 't1', templateValues: [{ variable: '1', value: '' }] })).toEqual([
      ['block.unmapped', 'error', 'templateValues', 'header'],
      ['block.unmapped', 'error', 'templateValues', '1'],
    ])
    expect(found({ template: 't2' })).toEqual([])
  })

  it('reports nothing about notes and groups, for any position and text', async () => {
    const doc = createFlow()
    addNode(doc, { id: 's', type: 'start', title: '', x: 0, y: 0 }, 'me')
    const before = lintFlow(readFlow(doc), {})
    addNode(doc, { id: 'n', type: 'note', title: '', x: 0, y: 90, properties: { text: 'Falta {{1 +}}' } }, 'me')
    addNode(doc, { id: 'g', type: 'group', title: 'Saudação', x: -20, y: -60, properties: { width: -5 } }, 'me')
    const flow = readFlow(doc)

    expect(lintFlow(flow, {})).toEqual(before)
    expect(await lintExpressions(flow, { parser: 'Jexl', pathParser: 'JSONPath' })).toEqual([])
    expect(flow.nodes.get('n')).toMatchObject({ known: true, inputs: [], outputs: [], unknown: [] })
  })

  it('names blocks that nothing leads to, outputs that lead nowhere and answers that are not kept', () => {
    const findings = lintFile({ s: { type: 'start' }, p: { type: 'prompt', properties: { data: { text: 'Oi' } } } })

    expect(findings).toEqual([
      { code: 'block.deadend', severity: 'warning', block: 's', field: 'output_1' },
      { code: 'block.unreachable', severity: 'warning', block: 'p' },
      { code: 'block.deadend', severity: 'warning', block: 'p', field: 'output_1' },
      { code: 'block.deadend', severity: 'warning', block: 'p', field: 'output_giveup' },
      { code: 'block.answer', severity: 'warning', block: 'p', field: 'varname' },
    ])
  })

  it('is a card whose button nothing waits for: the flow leaves it at once [P-1920]', () => {
    const submit = { type: 'Action.Submit', title: 'Enviar' }
    const nested = [{ type: 'Container', items: [{ type: 'ActionSet', actions: [submit] }] }]
    const card = (properties: object) => ({ type: 'adaptivecard', properties: { body: nested, ...properties } })
    const found = (properties: object, ask?: string) =>
      lintFile(
        { c: card(properties), p: { type: 'prompt', properties: { varname: 'v', data: { text: ask ?? 'Nome?' } } } },
        { l: { fromOperator: 'c', fromConnector: 'output_1', toOperator: 'p', toConnector: 'input_1' } },
      ).filter(({ code }) => code === 'block.nowait')
    const warned = [{ code: 'block.nowait', severity: 'warning', block: 'c', field: 'varname' }]
    const plain = [{ type: 'TextBlock', text: 'Oi' }]

    expect(found({})).toEqual(warned)
    expect(found({ body: plain, actions: [submit] })).toEqual(warned)
    expect(found({ body: plain, actions: `[{"type" : "Action.Execute", "title": {{quem}}}]` })).toEqual(warned)
    expect(found({ body: plain, putSubmitButton: true })).toEqual(warned)
    expect(found({ body: plain, actions: [{ type: 'Action.OpenUrl', url: 'https://a.br' }] })).toEqual([])
    expect(found({ varname: 'v' })).toEqual([])
    // The next question has no text: it asks with the card.
    expect(found({}, '')).toEqual([])
  })

  it('warns of a flow that begins with anything but a start block, and says so in each language [D-5.04]', () => {
    const words = { text: { type: 'text', properties: { text: 'Oi' } } }
    const startCodes = (operators: object) =>
      lintFile(operators).filter(({ code, severity }) => code === 'flow.start' && severity === 'warning')

    expect(startCodes(words)).toEqual([{ code: 'flow.start', severity: 'warning', block: '' }])
    expect(lintFile(words).filter(({ code }) => code === 'block.unreachable')).toEqual([])
    expect(startCodes({})).toHaveLength(1)
    expect(startCodes({ ...words, start: { type: 'start' } })).toEqual([])
    expect([en, pt, es].map(({ lint }) => lint.code.flow_start)).toEqual([
      expect.stringContaining('start block'),
      expect.stringContaining('bloco de início'),
      expect.stringContaining('bloque de inicio'),
    ])
  })

  it('warns of each of several start blocks: a flow begins at one', () => {
    const starts = (operators: object) => lintFile(operators).filter(({ code }) => code === 'block.start')
    expect(starts({ a: { type: 'start' } })).toEqual([])
    expect(starts({ a: { type: 'start' }, b: { type: 'start' } })).toEqual([
      { code: 'block.start', severity: 'warning', block: 'a' },
      { code: 'block.start', severity: 'warning', block: 'b' },
    ])
  })

  it('puts errors first: targets that are missing or not chosen', () => {
    const findings = lintFile(
      { g: { type: 'gototask', properties: { task: 'gone', taskdialog: '' } }, j: { type: 'gotonodesrc' } },
      {},
      { dialogtask: new Set(['t1']) },
    )

    expect(findings.filter(finding => finding.severity === 'error')).toEqual([
      { code: 'block.target', severity: 'error', block: 'g', field: 'task' },
      { code: 'block.target', severity: 'error', block: 'j', field: 'destination' },
    ])
  })

  it('is an error where something is kept in a variable that it does not fit or that belongs elsewhere', () => {
    const variable = (datatype: string, inReach = true) => [{ datatype, schema: '', inReach }]
    const declared = new Map([
      ['idade', variable('number')],
      ['alheia', variable('string', false)],
    ])
    const findings = lintFile(
      {
        a: { type: 'prompt', properties: { varname: 'idade', data: { type: 'text', text: 'Oi' } } },
        b: {
          type: 'restservice',
          properties: { url: 'https://a.example', resultVariable: 'alheia', errorVariable: 'x' },
        },
        c: {
          type: 'assignvariables',
          properties: {
            variables: [
              { name: 'idade', value: '1' },
              { name: 'alheia.x', value: '' },
            ],
          },
        },
        d: { type: 'clearvariables', properties: { variables: ['alheia'] } },
      },
      {},
      { declared },
    )

    expect(findings.filter(({ severity }) => severity === 'error')).toEqual([
      { code: 'block.datatype', severity: 'error', block: 'a', field: 'varname', name: 'idade' },
      { code: 'block.scope', severity: 'error', block: 'b', field: 'resultVariable', name: 'alheia' },
      { code: 'block.scope', severity: 'error', block: 'c', field: 'variables.name', name: 'alheia.x' },
    ])
  })

  it('names types, properties and shapes that no declaration knows, and values that none accepts', () => {
    const codes = (operators: object) => lintFile(operators).map(({ code, field }) => `${code} ${field ?? ''}`.trim())

    expect(codes({ a: { type: 'demo::load_file' } })).toContain('block.type')
    expect(codes({ a: { type: 'text', properties: { text: 'x', mine: 1 } } })).toContain('block.unknown mine')
    expect(codes({ a: { type: 'text', properties: { text: { en: 'x' } } } })).toContain('block.unreadable text')
    expect(codes({ a: { type: 'prompt', properties: { maxRetries: 'three' } } })).toContain(
      'block.unreadable maxRetries',
    )
    expect(codes({ a: { type: 'prompt', properties: { maxRetries: -1 } } })).toContain('block.value maxRetries')
    expect(codes({ a: { type: 'text', properties: { text: '' } } })).toContain('block.value text')
  })

  it('names links from outputs that a block does not have', () => {
    const link = { fromOperator: 'a', fromConnector: 'output_9', toOperator: 'a', toConnector: 'input_1' }

    expect(lintFile({ a: { type: 'text', properties: { text: 'x' } } }, { l: link })).toContainEqual({
      code: 'link.connector',
      severity: 'warning',
      block: 'a',
      field: 'output_9',
    })
  })
})

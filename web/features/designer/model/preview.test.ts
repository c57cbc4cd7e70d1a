import { expect, test } from 'vitest'
import { createFlow } from '#domain/flow/document/document.ts'
import { addNode } from '#domain/flow/document/edit.ts'
import { readNode } from '#domain/flow/document/read-flow.ts'
import type { JsonObject } from '#schemas/event.ts'
import { shownTitle } from './block-appearance.ts'
import { findBlocks } from './block-text.ts'
import { observeFlow } from './flow-store.ts'
import { plainWords, previewOf, previewText } from './preview.ts'

const t = (key: string, values?: Readonly<Record<string, unknown>>) => String(values?.defaultValue ?? key)

const given = (type: string, title: string, properties: JsonObject) => {
  const doc = createFlow()
  addNode(doc, { id: 'n', type, title, x: 0, y: 0, properties }, 'me')
  const node = readNode(doc, 'n')
  if (node === undefined) throw new Error('the block was not added')
  return { doc, node }
}

test('a preview has no markup and no asterisks, and keeps variables apart', () => {
  expect(plainWords('<b>Olá</b> *mundo*\n  aqui')).toBe('Olá mundo aqui')
  expect(plainWords('<p>do <b>Cartão</b>.</p><p>Fim<br>já</p>')).toBe('do Cartão. Fim já')
  expect(plainWords('Torrado na <b>hora</b>.<br>Prove <i>já</i>!')).toBe('Torrado na hora. Prove já!')
  expect(plainWords('<strong>Atenção</strong>, <u>leia</u> <b><i>tudo</i></b>')).toBe('Atenção, leia tudo')
  expect(plainWords('**_Olá_** ~velho~ _*novo*_, (*sim*) &amp; não&nbsp;sei')).toBe('Olá velho novo, (sim) & não sei')
  expect(plainWords('2*3*4 e 5 * 6 * 7: snake_case_nome {{_id_}} https://a.b/_c_/d')).toBe(
    '2*3*4 e 5 * 6 * 7: snake_case_nome {{_id_}} https://a.b/_c_/d',
  )
  expect(plainWords('Para <<nome>>')).toBe('Para {{nome}}')
  const { node } = given('text', '', { text: 'Olá {{nome}}!' })
  expect(previewOf(node, t).parts.map(({ kind }) => kind)).toEqual(['text', 'variable', 'text'])
  expect(previewText(previewOf(node, t))).toBe('Olá nome!')
})

test('a machine title gives way to the name of the type, a person’s own title does not', () => {
  expect(shownTitle(given('text', 'text/plain', {}).node, t).own).toBe(false)
  expect(shownTitle(given('restservice', 'GetOpenTicket', {}).node, t)).toEqual({ text: 'GetOpenTicket', own: true })
})

test('a condition shows its ways with the numbers of its ports, otherwise last', () => {
  const { node } = given('condition', '', {
    outputs: { output_1: {}, output_default: {} },
    conditions: [[{ source: 'input', comparison: 'equals', values: ['Sim'] }]],
  })
  const words = previewOf(node, t).parts.map(({ text }) => text)
  expect(words).toEqual(['1', 'Sim', '↳', 'otherwise'])
  expect(previewText(previewOf(node, t))).toBe('1 Sim ↳ otherwise')
})

test('a question shows its options behind its words, with the numbers of their ports [P-2844]', () => {
  const options = [
    { id: 'pix', label: 'Pix', value: '' },
    { id: 'b', label: '', value: '' },
  ]
  const data = { type: 'choice', text: 'Como?', options }
  const shown = (outputs: JsonObject) =>
    previewText(previewOf(given('prompt', '', { data, outputs: { output_1: {}, ...outputs } }).node, t))
  expect(shown({ pix: {}, b: {} })).toBe('Como? 1 Pix 2')
  expect(shown({})).toBe('Como?')
})

test('a block says what its declaration sums up, without what is empty', () => {
  const words = (type: string, properties: JsonObject) =>
    previewOf(given(type, '', properties).node, t)
      .parts.map(({ text }) => text)
      .join('')
  expect(words('workinghour', { state: 'SP' })).toBe('08:00–18:00 · SP · America/Sao_Paulo')
  expect(words('workinghour', { state: '' })).toBe('08:00–18:00 · America/Sao_Paulo')
  expect(words('assignuserdata', { cpf: '{{doc}}' })).toBe('doc')
  expect(words('location', { address: 'Av. Paulista, 1578', varname: 'pedido' })).toBe('Av. Paulista, 1578')
  expect(words('location', { latitude: '-23.5', longitude: '-46.6' })).toBe('-23.5, -46.6')
  expect(words('clearvariables', { variables: ['nome', { id: 'v', name: 'pedido.total' }] })).toBe('nome, pedido.total')
  expect(words('herocard', { title: 'Café', varname: 'resposta' })).toBe('Café')
  expect(words('adaptivecard', { body: [{ type: 'Image' }, { type: 'TextBlock', text: 'Seus dados' }] })).toBe(
    'Seus dados',
  )
})

test('a branch says what it compares where its value alone would not tell', () => {
  const way = (rule: JsonObject) => {
    const branch = { id: 'b', rules: [], groups: [{ match: 'or', rules: [rule] }] }
    const { node } = given('condition', '', { outputs: { b: {}, output_default: {} }, conditions: [branch] })
    return previewOf(node, t).parts[1]?.text
  }
  expect(way({ source: 'variable', variable: 'idade', comparison: 'greaterOrEqual', values: ['18'] })).toBe(
    'idade greaterOrEqual 18',
  )
  expect(way({ source: 'variable', variable: 'idade', comparison: 'less', valueVariable: 'limite' })).toBe(
    'idade less limite',
  )
  expect(way({ source: 'input', comparison: 'in', values: ['SP', 'RJ'] })).toBe('SP')
})

test('a jump shows the names of its task and dialog, and never an id', () => {
  const known: Readonly<Record<string, string>> = { t1: 'Segunda via', d1: 'Boleto' }
  const named: typeof t = (key, values) =>
    key.startsWith('name:') ? (known[String(values?.id)] ?? '') : t(key, values)
  const words = (properties: JsonObject) =>
    previewOf(given('gototask', '', properties).node, named)
      .parts.map(({ text }) => text)
      .join('')
  expect(words({ task: 't1', taskdialog: 'd1' })).toBe('Segunda via · Boleto')
  expect(words({ task: 't1', taskdialog: '00000000-0000-4000-8000-000000000000' })).toBe('Segunda via')
  expect(words({ task: '00000000-0000-4000-8000-000000000000', taskdialog: '' })).not.toContain('0000')
  const jump = given('gotonodesrc', '', { destination: 't1' }).node
  expect(previewText(previewOf(jump, named))).toBe('Segunda via')
  expect(previewText(previewOf(jump, t))).not.toContain('t1')
  const { doc } = given('gototask', '', { task: 't1', taskdialog: '' })
  expect(findBlocks(observeFlow(doc).get(), 'segunda', named)).toEqual(['n'])
})

test('shows the delay in words and the task of a schedule', () => {
  const texts: Readonly<Record<string, string>> = { 'after.day': 'depois de 2 dias', 'name:dialogtask': 'Lembrete' }
  const named: typeof t = (key, values) => texts[key] ?? t(key, values)
  const { node } = given('schedule', '', { scheduleQuantity: 2, scheduleUnit: 'day', task: 't1' })
  expect(previewText(previewOf(node, named))).toBe('depois de 2 dias · Lembrete')
})

test('shows the text of a message, not the template that replaces it', () => {
  const { node } = given('sendmessage', '', { text: 'Pedido pronto', template: 't1' })
  expect(previewText(previewOf(node, key => (key === 'name:template' ? 'aviso' : key)))).toBe('Pedido pronto')
})

test('finds blocks by their words, for any accents and case', () => {
  const { doc } = given('text', '', { text: 'Informações gerais' })
  const flow = observeFlow(doc).get()
  expect(findBlocks(flow, 'INFORMACOES', t)).toEqual(['n'])
  expect(findBlocks(flow, 'nada disso', t)).toEqual([])
})

test('a block that nobody filled in does not say its defaults', () => {
  expect(previewOf(given('receiptcard', '', {}).node, t)).toMatchObject({ empty: true })
})

test('an address stays on the line of its method, and a script breaks between its words', () => {
  const call = previewOf(given('restservice', '', { methodType: 'get', url: 'https://a.b/c' }).node, t)
  expect(call.parts).toEqual([{ kind: 'text', text: 'GET\u00a0https://a.b/c' }])
  expect(previewText(call)).toBe('GET https://a.b/c')
  const script = previewOf(given('handler', '', { quickscript: true, js: 'const a = 1\n\treturn a' }).node, t)
  expect(script.parts).toEqual([{ kind: 'text', text: 'const a = 1 return a' }])
})

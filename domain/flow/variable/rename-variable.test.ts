import { expect, test } from 'vitest'
import type { ParserName } from '#domain/expression/engine.ts'
import { openEngine } from '#domain/expression/engines.ts'
import { openEngines } from '#domain/expression/template-check.ts'
import type { BlockText } from '../text/block-text.ts'
import { isVariableName, renamedText } from './variable-use.ts'

const engines = await openEngines(['Jexl', 'ExprEval', 'JsonAta', 'JSONPath'])
const written = (text: string, more: Partial<BlockText> = {}): BlockText => ({
  path: ['text'],
  field: 'text',
  role: 'template',
  template: 'text',
  text,
  ...more,
})
const renamed = (text: BlockText, parser: ParserName = 'Jexl') =>
  renamedText(text, { from: 'nome', to: 'cliente' }, parser, engines)

test.each<[ParserName, string, string]>([
  ['Jexl', 'Oi {{nome}}, {{pedido.nome}} e nome', 'Oi {{cliente}}, {{pedido.nome}} e nome'],
  [
    'Jexl',
    "{{nome + ' nome ' + nome|upper}} {{ {nome: nome}.nome }}",
    "{{cliente + ' nome ' + cliente|upper}} {{ {nome: cliente}.nome }}",
  ],
  ['Jexl', '{{$.nome[?@.nome == 1]}} {{sobrenome}}', '{{$.cliente[?@.nome == 1]}} {{sobrenome}}'],
  ['ExprEval', '{{nome + x.nome}}', '{{cliente + x.nome}}'],
  ['JsonAta', '<@ nome.nome & itens[nome = "a"].nome @>', '<@ cliente.nome & itens[nome = "a"].nome @>'],
])('in %s, %s becomes %s: only what reads the variable is changed', (parser, before, after) => {
  expect(renamed(written(before), parser)).toEqual({ text: after, left: 0 })
})

test('names in JSON, in rich text, and of variables as such are changed where they stand', () => {
  const json = written('{"nome": <nome>, "b": "\\"{{nome}}\\" nome"}', { template: 'json' })
  expect(renamed(json)?.text).toBe('{"nome": <cliente>, "b": "\\"{{cliente}}\\" nome"}')
  expect(renamed(written('<b>nome</b> {{nome}}', { role: 'rich' }))?.text).toBe('<b>nome</b> {{cliente}}')
  expect(renamed({ path: ['varname'], field: 'varname', role: 'variable', text: 'nome' })?.text).toBe('cliente')
  expect(renamed({ path: ['p'], at: 0, field: 'p', role: 'inside', text: 'nome.primeiro' })?.text).toBe(
    'cliente.primeiro',
  )
  expect(renamed(written('nome', { role: 'words' }))).toBeUndefined()
})

test('a name that no parser reads is changed between its braces, one that another would capture is left and counted', () => {
  const unread = renamedText(written('{{meu nome}}'), { from: 'meu nome', to: 'nome' }, 'Jexl', engines)
  expect(unread).toEqual({ text: '{{nome}}', left: 0 })
  const captured = '{{cliente = 1; nome + cliente}}'
  expect(renamed(written(captured), 'ExprEval')).toEqual({ text: captured, left: 1 })
})

test.each<[ParserName, string, boolean]>([
  ['Jexl', 'total', true],
  ['Jexl', 'total geral', false],
  ['Jexl', 'true', false],
  ['ExprEval', 'not', false],
  ['JsonAta', 'and or', false],
  ['JsonAta', 'preço', true],
  ['Jexl', 'a.b', false],
])('%s takes “%s” for a variable’s name: %s', async (parser, name, isOne) => {
  expect(isVariableName(name, await openEngine(parser))).toBe(isOne)
})

import { describe, expect, it } from 'vitest'
import type { JsonObject } from '#schemas/event.ts'
import type { ParserName } from './engine.ts'
import { splitTemplate, type TemplateKind } from './template.ts'
import { checkTemplate } from './template-check.ts'
import { evaluateTemplate } from './template-evaluate.ts'

const context: JsonObject = {
  nome: 'Ana',
  idade: 30,
  campo: 'x',
  dados: { x: 7, lista: [1, 2] },
  nada: null,
  aspas: 'a "b"\n',
}

const fill = async (text: string, kind: TemplateKind = 'text', parser: ParserName = 'Jexl') => {
  const outcome = await evaluateTemplate({ text, kind, parser }, context)
  return outcome.ok ? outcome.value : outcome.fault
}
const faultsOf = async (text: string, kind: TemplateKind, parser: ParserName) =>
  (await checkTemplate({ text, kind, parser })).faults.map(
    ({ code, place }) => `${code} ${text.slice(place.offset, place.offset + place.length)} ${place.offset}`,
  )

describe('placeholders in a text', () => {
  it.each<readonly [string, TemplateKind, ParserName, unknown]>([
    ['Olá, {{nome}}!', 'text', 'Jexl', 'Olá, Ana!'],
    ['Olá, {nome}!', 'text', 'Jexl', 'Olá, Ana!'],
    ['{nome} tem {idade + 1}', 'text', 'ExprEval', 'Ana tem 31'],
    ['{{ {a: {b: nome}}.a.b }}', 'text', 'Jexl', 'Ana'],
    ['{{ nome + "}}" }}.', 'text', 'Jexl', 'Ana}}.'],
    ['{$.dados.lista[1]} de {{$.dados.x}}', 'text', 'Jexl', '2 de 7'],
    ['<@ nome & "@>" @>: <@idade@>', 'text', 'JsonAta', 'Ana@>: 30'],
    ['{{nome}} e {nome}', 'text', 'JsonAta', 'Ana e {nome}'],
    ['nada: {{nada}}{{nenhum}}.', 'text', 'Jexl', 'nada: .'],
    ['lista {{dados.lista}}', 'text', 'Jexl', 'lista [1,2]'],
  ])('%s as %s in %s', async (text, kind, parser, expected) => {
    expect(await fill(text, kind, parser)).toEqual(expected)
  })

  it('braces delimit placeholders of Jexl, ExprEval and JSONPath in text [C-5.23]', async () => {
    expect([await fill('{nome}'), await fill('{nome}!', 'text', 'ExprEval'), await fill('{$.nome}!')]).toEqual([
      'Ana',
      'Ana!',
      'Ana!',
    ])
  })

  it('single braces around what is no expression keep their words [P-1729]', async () => {
    const styles = 'body { color: red } p { margin: 0 auto; } {nome}'
    for (const parser of ['Jexl', 'ExprEval'] as const)
      expect(await fill(styles, 'text', parser)).toBe('body { color: red } p { margin: 0 auto; } Ana')
    expect(await fill('{ color: red }')).toBe('{ color: red }')
    expect(await fill('{{nome}}: {idade +}')).toBe('Ana: {idade +}')
  })

  it('texts have no words for what cannot be computed [P-1727]', async () => {
    for (const text of ['<{{nenhum * 2}}>', '<{{nada + nenhum}}>', '<{{nada}}>']) expect(await fill(text)).toBe('<>')
    expect(await fill('{{"Oi, " + nada}}!')).toBe('Oi, !')
  })

  it('dates of a card are its own, with placeholders in them or without [P-1723]', async () => {
    expect(await fill('{"t": "{{DATE(2026-05-04T10:00:00Z,SHORT)}} {{TIME({{nome}})}} {{nome}}"}', 'json')).toEqual({
      t: '{{DATE(2026-05-04T10:00:00Z,SHORT)}} {{TIME(Ana)}} Ana',
    })
  })

  it('angle brackets delimit placeholders in JSON data and card attributes [C-5.24]', async () => {
    expect(await fill('{"n": "<nome>", "i": <idade>, "o": <<dados.x >> }', 'json')).toEqual({ n: 'Ana', i: 30, o: 7 })
    expect(await fill('<nome>, <<idade > 18>>', 'attribute')).toBe('Ana, true')
  })

  it('<@ @> delimit placeholders of JsonAta, in text and in JSON [C-5.25]', async () => {
    expect(await fill('<@nome@> <nome>', 'text', 'JsonAta')).toBe('Ana <nome>')
    expect(await fill('{"n": "<@nome@>", "l": <@dados.lista@>}', 'json', 'JsonAta')).toEqual({ n: 'Ana', l: [1, 2] })
  })

  it('<! !> delimit placeholders of JsonAta in card attributes [C-5.26]', async () => {
    expect(await fill('<!nome!> <@nome@>', 'attribute', 'JsonAta')).toBe('Ana <@nome@>')
  })

  it('a placeholder alone is its value, not a text', async () => {
    expect(await fill('{{dados}}')).toEqual({ x: 7, lista: [1, 2] })
    expect(await fill('{{idade}}')).toBe(30)
    expect(await fill(' {{idade}}')).toBe(' 30')
  })

  it('a pair inside a pair is an expression in brackets, in its place', async () => {
    expect(await fill('{{ dados[{{campo}}] + 1 }}')).toBe(8)
    expect(await fill('<@ $lookup(dados, <@campo@>) @>', 'text', 'JsonAta')).toBe(7)
    expect(await faultsOf('{{ dados[{{campo +}}] }}', 'text', 'Jexl')).toEqual(['syntax } 18'])
  })
})

describe('escapes', () => {
  it.each<readonly [string, TemplateKind, ParserName, unknown]>([
    ['\\{{nome}}', 'text', 'Jexl', '{{nome}}'],
    ['\\{nome}', 'text', 'Jexl', '{nome}'],
    ['\\\\{nome}', 'text', 'Jexl', '\\Ana'],
    ['\\\\\\{nome}', 'text', 'Jexl', '\\{nome}'],
    ['C:\\pasta\\', 'text', 'Jexl', 'C:\\pasta\\'],
    ['\\<@nome@>', 'text', 'JsonAta', '<@nome@>'],
    ['{"a": "\\\\<nome> <nome>"}', 'json', 'Jexl', { a: '<nome> Ana' }],
    ['{"a": "<nome == \\"Ana\\" ? 1 : 2>"}', 'json', 'Jexl', { a: '1' }],
    ['{"a": "<aspas>"}', 'json', 'Jexl', { a: 'a "b"\n' }],
    ['{"a": <aspas>, "b": <nenhum>}', 'json', 'Jexl', { a: 'a "b"\n', b: null }],
    ['{"\\u003cnome>": 1}', 'json', 'Jexl', { Ana: 1 }],
  ])('%s as %s', async (text, kind, parser, expected) => {
    expect(await fill(text, kind, parser)).toEqual(expected)
  })

  it.each<readonly [string, TemplateKind]>([
    ['1 < 2 e 3 > 2', 'attribute'],
    ['</b> fim', 'attribute'],
    ['a <= b >', 'attribute'],
    ['{}', 'text'],
    ['{"uri": "x", "y": {}}', 'text'],
    ['abre { e não fecha', 'text'],
    ['fecha } sem abrir }}', 'text'],
    ['<3', 'attribute'],
  ])('%s is what it says', async (text, kind) => {
    expect(await fill(text, kind)).toBe(text)
  })
})

describe('faults of a template', () => {
  it.each<readonly [string, TemplateKind, ParserName, readonly string[]]>([
    ['Oi {{nome', 'text', 'Jexl', ['unclosed {{ 3']],
    ['Oi {{nome +}} e {{b c}}', 'text', 'Jexl', ['unclosed  11', 'syntax c 20']],
    ['Oi {{}}', 'text', 'Jexl', ['empty  5']],
    ['Oi {{ nope(1) }}', 'text', 'Jexl', ['function nope 6']],
    ['{"a": "x <b c>"}', 'json', 'Jexl', ['syntax c 12']],
    ['{"a": "\\n\\n<b c>"}', 'json', 'Jexl', ['syntax c 14']],
    ['{"a": <b c>}', 'json', 'Jexl', ['syntax c 9']],
    ['<@ a b @>', 'text', 'JsonAta', ['syntax b 5']],
    ['<@ a', 'text', 'JsonAta', ['unclosed <@ 0']],
  ])('%s as %s', async (text, kind, parser, expected) => {
    expect(await faultsOf(text, kind, parser)).toEqual(expected)
  })

  it('returns every variable with its place', async () => {
    const text = 'Oi {{nome}}, {"<": idade}.x'
    const { references } = await checkTemplate({ text, kind: 'text', parser: 'Jexl' })
    expect(references.map(({ name, place }) => [name, text.slice(place.offset, place.offset + place.length)])).toEqual([
      ['nome', 'nome'],
    ])
  })

  it('reports a failed evaluation at its placeholder', async () => {
    expect(await fill('Oi {{parseJson(nome)}}')).toMatchObject({ code: 'value', place: { offset: 5, length: 15 } })
    expect(await fill('{"a": <nome>,}', 'json')).toMatchObject({ code: 'value' })
  })
})

it('splits any text into parts without gaps', () => {
  const kinds: readonly TemplateKind[] = ['text', 'json', 'attribute']
  const odd = [
    '{{{a}}}',
    '<<<a>>>',
    '{{ "}}',
    "it's {a} and 'b {c}",
    '\\\\\\',
    '{{a}}}',
    '<@<!a!>@>',
    '{{a{{b}}',
    '{'.repeat(500),
  ]
  for (const kind of kinds) {
    for (const text of odd) {
      let at = 0
      for (const { place } of splitTemplate(text, kind, 'Jexl')) {
        expect(place.offset).toBe(at)
        at += place.length
      }
      expect(at).toBe(text.length)
    }
  }
})

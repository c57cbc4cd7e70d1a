import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { SMALL_PROJECT } from './fixture/small-project.ts'
import { openModel } from './model.ts'
import { explainIntent, parseText } from './parse-text.ts'
import { type NluData, NONE_INTENT } from './project-data.ts'
import { trainModel } from './train-model.ts'

const trained = (data: NluData) => {
  const result = trainModel(data, () => {})
  if (!result.ok) throw new Error(result.code)
  return result
}
const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

const SMALL = trained(SMALL_PROJECT)
const MODEL = openModel(SMALL.bytes)
type ParseOptions = Parameters<typeof parseText>[2]

const OPTIONS: ParseOptions = { fuzzy: false, now: Date.UTC(2026, 4, 4, 12), regexMatches: [] }
const parse = (text: string, options: Partial<ParseOptions> = {}) => parseText(MODEL, text, { ...OPTIONS, ...options })
const entitiesOf = (text: string, options: Partial<ParseOptions> = {}) =>
  parse(text, options).entities.map(({ entity, value, raw, by }) => [entity, value, raw, by])

test('the same data in another order are the same bytes [N-5.4]', () => {
  const reversed: NluData = {
    ...SMALL_PROJECT,
    intents: SMALL_PROJECT.intents
      .toReversed()
      .map(intent => ({ ...intent, statements: intent.statements.toReversed() })),
    entities: SMALL_PROJECT.entities.toReversed(),
  }
  expect(hashOf(trained(reversed).bytes)).toBe(hashOf(SMALL.bytes))
  expect(hashOf(trained({ ...SMALL_PROJECT, locale: 'es' }).bytes)).not.toBe(hashOf(SMALL.bytes))
})

test('the model of a known project has the bytes that it always had [N-5.4]', () => {
  expect(hashOf(SMALL.bytes)).toBe('570ce87b321b2937506cf6f7be7d1595b7d552e7a50d3b9d166c5765cd34af38')
})

const intentOf = (name: string, ...texts: readonly string[]) => ({
  ...{ name, responses: [] },
  statements: texts.map((text, place) => ({ id: `${name}-${place}`, text })),
})
const modelOf = (...intents: readonly ReturnType<typeof intentOf>[]) =>
  openModel(trained({ ...SMALL_PROJECT, entities: [], regexes: [], synonyms: [], intents }).bytes)

test('lines without letters are lines as others are [P-1724]', () => {
  const model = modelOf(intentOf('yes', 'sim', '👍', ':)'), intentOf('no', 'não', '👎', '?'))
  const found = ['👍', '👍🏽', '👍👍', ':)', '👎', '?', '🎉', '!'].map(text => parseText(model, text, OPTIONS).intent)
  expect(found).toEqual(['yes', 'yes', 'yes', 'yes', 'no', 'no', null, null])
})

test('a single intent takes only what its lines know [P-1725]', () => {
  const model = modelOf(intentOf('boleto', 'quero meu boleto', 'segunda via do boleto', 'manda o boleto por favor'))
  const found = (text: string) => parseText(model, text, OPTIONS).intent
  for (const text of ['quero o boleto', 'segunda via', 'manda meu boleto'])
    expect([text, found(text)]).toEqual([text, 'boleto'])
  for (const text of ['qual a capital da França', 'bom dia', 'onde fica a agência', '👍'])
    expect([text, found(text)]).toEqual([text, null])
})

test('bytes that are no model are refused [N-5.4]', () => {
  expect(() => openModel(new Uint8Array(0))).toThrow()
  expect(() => openModel(new Uint8Array(64).fill(7))).toThrow()
  const other = SMALL.bytes.slice()
  other[4] = 99
  expect(() => openModel(other)).toThrow('version')
})

test('a model that an earlier version trained and stored answers as it did then [P-2111]', () => {
  // Of the small project and twelve names, each in two lines; trained before features shared columns.
  const model = openModel(new Uint8Array(readFileSync(join(import.meta.dirname, 'fixture/stored-model.bin'))))
  const answers = [
    'quero a segunda via do boleto',
    'meu nome é Pedro',
    'agencia em Recifee amanhã',
    'conta uma piada',
  ].map(text => {
    const { intent, confidence, entities } = parseText(model, text, { ...OPTIONS, fuzzy: true })
    return [intent, confidence.toFixed(4), ...entities.map(each => [each.by, each.value, each.confidence])]
  })
  expect(answers).toEqual([
    ['boleto', '1.0000'],
    ['nome', '0.9991', ['learned', 'Pedro', 0.9102363194895323]],
    ['agencia', '0.9987', ['lookup', 'Recife', 0.9], ['system', '2026-05-05', 1]],
    [null, '1.0000'],
  ])
})

describe('answers [N-5.10]', () => {
  test.each([
    ['quero meu boleto', 'boleto'],
    ['QUERO   O BOLÉTO!!', 'boleto'],
    ['falar com atendente', 'atendente'],
    ['onde tem uma agencia', 'agencia'],
    ['me diz uma piada', null],
    ['zzz ŋŋŋ', null],
    ['👍', null],
    ['', null],
  ])('%j is %j', (text, intent) => {
    expect(parse(text).intent).toBe(intent)
  })

  test('returns the intent of a known line at 100 %, for any marks and case [N-5.5]', () => {
    expect(parse('Boleto atrasado: como pago').confidence).toBe(1)
    expect(parse('BOLETO ATRASADO como pago?')).toMatchObject({ intent: 'boleto', confidence: 1 })
    expect(parse('boleto atrasado').confidence).toBeLessThan(1)
  })

  test('a line of two intents is none at 100 % [N-5.5]', () => {
    const statements = [{ id: '9', text: 'falar com uma pessoa' }]
    const intents = [...SMALL_PROJECT.intents, { name: 'pessoa', statements, responses: [] }]
    const model = openModel(trained({ ...SMALL_PROJECT, intents }).bytes)
    expect(parseText(model, 'falar com uma pessoa', OPTIONS).confidence).toBeLessThan(1)
  })

  test('ranks at most five intents, the best first, and no confidence above it [N-5.10]', () => {
    const { ranking, confidence } = parse('quero falar do boleto da agência')
    expect(ranking).toHaveLength(4)
    expect(ranking[0]?.confidence).toBe(confidence)
    expect(ranking.map(each => each.confidence)).toEqual(ranking.map(each => each.confidence).toSorted((a, b) => b - a))
  })

  test('returns words that weigh for and against [N-5.10]', () => {
    const reasons = explainIntent(MODEL, 'quero o boleto da agência', 'boleto')
    expect(reasons.for.map(({ text }) => text)).toContain('boleto')
    expect(reasons.against.length).toBeGreaterThan(0)
    expect(explainIntent(MODEL, 'x', 'unknown')).toEqual({ for: [], against: [] })
  })
})

describe('entities', () => {
  test('finds the longest value of a lookup by any of its spellings [N-5.6]', () => {
    expect(entitiesOf('agência do RIO DE janeiro ou de sampa')).toEqual([
      ['cidade', 'Rio de Janeiro', 'RIO DE janeiro', 'lookup'],
      ['cidade', 'São Paulo', 'sampa', 'lookup'],
    ])
    expect(entitiesOf('no Rio.')).toEqual([['cidade', 'Rio de Janeiro', 'Rio', 'lookup']])
  })

  test.each(['Recfie', 'Recifee', 'Rceife', 'Recif', 'recide'])('%s is Recife when fuzzy alone [N-5.6]', written => {
    expect(entitiesOf(`agência em ${written}`)).toEqual([])
    expect(entitiesOf(`agência em ${written}`, { fuzzy: true })).toEqual([['cidade', 'Recife', written, 'lookup']])
  })

  test.each(['Reife1', 'Rcf', 'Recxyfe', 'sanpa'])('%s is nothing, fuzzy or not [N-5.6]', written => {
    expect(entitiesOf(`em ${written}`, { fuzzy: true }).filter(([, , , by]) => by === 'lookup')).toEqual([])
  })

  test('a regex comes before a lookup, and a synonym becomes its value [N-5.6] [N-5.8]', () => {
    const text = 'em Recife, mai'
    const regexMatches = [
      { entity: 'protocolo', start: 3, end: 9 },
      { entity: 'mes', start: 11, end: 14 },
    ]
    expect(entitiesOf(text, { regexMatches })).toEqual([
      ['protocolo', 'Recife', 'Recife', 'regex'],
      ['mes', 'maio', 'mai', 'regex'],
    ])
  })

  test('finds those that are marked ten times in texts that were never seen [N-5.8]', () => {
    const names = ['Ana', 'Bruno', 'Carla', 'Davi', 'Elisa', 'Fábio', 'Gina', 'Hugo', 'Iara', 'João', 'Kátia', 'Lucas']
    const statements = names.flatMap((name, id) => [
      { id: `${id}`, text: `meu nome é [${name}](nome)` },
      { id: `x${id}`, text: `eu me chamo [${name} Silva](nome) obrigado` },
    ])
    const data = { ...SMALL_PROJECT, intents: [...SMALL_PROJECT.intents, { name: 'nome', statements, responses: [] }] }
    const found = parseText(openModel(trained(data).bytes), 'meu nome é Zuleica', OPTIONS)
    expect(found).toMatchObject({ intent: 'nome', entities: [{ entity: 'nome', raw: 'Zuleica', by: 'learned' }] })
  })
})

test.each<[string, Partial<NluData>, string]>([
  ['no lines', { intents: [] }, 'nointents'],
  ['a pattern that explodes', { regexes: [{ name: 'r', entity: 'e', pattern: '(a+)+$' }] }, 'pattern'],
])('a project with %s is not trained [N-5.14]', (_, change, code) => {
  expect(trainModel({ ...SMALL_PROJECT, ...change }, () => {})).toMatchObject({ ok: false, code })
})

test('one intent, one line and odd lines are trained [N-5.14]', () => {
  const line = (text: string) => [{ id: 'a', text }]
  for (const text of ['oi', '[oi](x)', '1', 'ﬁ ﷺ', 'a'.repeat(9000)]) {
    const intents = [{ name: 'x', statements: line(text), responses: [] }]
    const model = openModel(trained({ ...SMALL_PROJECT, intents }).bytes)
    expect(parseText(model, 'outra coisa qualquer', OPTIONS).confidence).toBeLessThanOrEqual(1)
  }
  expect(SMALL.report).toMatchObject({ lines: 19, intents: 4 })
  expect(SMALL_PROJECT.intents.some(({ name }) => name === NONE_INTENT)).toBe(true)
})

test('never throws and returns spans inside the text [N-5.10]', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), text => {
      const { confidence, entities } = parse(`${text} boleto 12/05 R$ 5`, { fuzzy: true })
      expect(confidence >= 0 && confidence <= 1).toBe(true)
      for (const { start, end, raw } of entities) expect(raw).toBe(`${text} boleto 12/05 R$ 5`.slice(start, end))
    }),
    { numRuns: 200 },
  )
})

import { zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { readNlu } from './read-nlu.ts'
import { decodeUtf8, isZip, unzip } from './unzip.ts'

const read = (text: string, path = 'data') => {
  const result = readNlu([{ path, text }], 'pt')
  if (result.ok) return result.value
  return String(result.refusal.errors?.[0]?.params?.rule)
}
const lines = (text: string, path?: string) => {
  const found = read(text, path)
  return typeof found === 'string'
    ? found
    : Object.fromEntries([...found.intents].map(([name, { statements }]) => [name, statements]))
}

describe('detects the training data format by content [N-6.2]', () => {
  test('Rasa as YAML, with values, roles and a list of texts', () => {
    const yaml = `version: "3.1"
nlu:
- intent: faq/ask
  examples: |
    - olá
    - quero [amanhã]{"entity": "quando", "role": "início"} [sp](cidade:São Paulo)
- intent: lista
  examples:
  - text: um
  - text: dois
    metadata: {a: 1}
- regex: cep
  examples: |
    - \\d{5}-\\d{3}
- lookup: unidade
  examples: |
    - UBS Centro
- synonym: São Paulo
  examples: |
    - sampa
`
    const found = read(yaml)
    if (typeof found === 'string') throw new Error(found)
    expect(lines(yaml)).toEqual({
      'faq/ask': [
        'olá',
        'quero [amanhã]{"entity":"quando","role":"início"} [sp]{"entity":"cidade","value":"São Paulo"}',
      ],
      lista: ['um', 'dois'],
    })
    expect(Object.fromEntries(found.regexes)).toEqual({ cep: { entity: 'cep', pattern: '\\d{5}-\\d{3}' } })
    expect(Object.fromEntries(found.entities)).toMatchObject({
      quando: { type: 'learned' },
      unidade: { type: 'lookup', lookup: [{ value: 'UBS Centro', synonyms: [] }] },
      cep: { type: 'system' },
    })
    expect(Object.fromEntries(found.synonyms)).toEqual({ 'São Paulo': ['sampa'] })
  })

  test('Rasa as Markdown, with a byte order mark, comments and spaces', () => {
    const text =
      '\uFEFF<!-- nota -->\r\n## intent: saudar\r\n- oi\r\n- olá [Ana](nome)\r\n\r\n## synonym:Ana\r\n- Aninha\r\nsolta\r\n'
    expect(lines(text)).toEqual({ saudar: ['oi', 'olá [Ana](nome)'] })
    const found = read(text)
    expect(typeof found === 'string' ? [] : found.unread).toEqual([{ path: 'data', code: 'line', name: 'solta' }])
  })

  test('our own CSV with marked texts, and lines of JSON with plain ones', () => {
    expect(lines('intent,text\nver,"a, [b](c)"\n,solta\n', 'a.csv')).toEqual({ ver: ['a, [b](c)'], none: ['solta'] })
    const jsonl = [
      { text: 'veja [isto] já', intent: 'ver', entities: [{ start: 12, end: 14, entity: 'quando' }] },
      { text: 'nada', intent: '' },
    ]
    expect(lines(jsonl.map(line => JSON.stringify(line)).join('\n'))).toEqual({
      ver: ['veja \\[isto] [já](quando)'],
      none: ['nada'],
    })
  })

  test('Watson, with counterexamples under no intent and the dialog reported', () => {
    const workspace = {
      intents: [{ intent: 'ver', examples: [{ text: 'ver conta', mentions: [{ entity: 'x', location: [4, 9] }] }] }],
      entities: [{ entity: 'n', values: [{ type: 'patterns', value: 'v', patterns: ['\\d+'] }] }],
      counterexamples: [{ text: 'futebol' }],
      dialog_nodes: [{}],
    }
    expect(lines(JSON.stringify(workspace))).toEqual({ ver: ['ver [conta](x)'], none: ['futebol'] })
  })
})

describe('parts without a place here are listed', () => {
  const example = (text: string, ...entities: object[]) => ({ intent: 'ir', text, entities })
  const rasa = (data: object) => JSON.stringify({ rasa_nlu_data: data })

  test('entities that overlap, and those outside of their text', () => {
    const mark = (start: number, end: number, entity: string) => ({ start, end, entity })
    const marks = [mark(3, 5, 'de'), mark(3, 11, 'rota'), mark(8, 99, 'para')]
    const found = read(rasa({ common_examples: [example('de sp a rio', ...marks)] }))
    expect(found).toMatchObject({
      unread: [
        { path: 'data', code: 'span', name: 'rota: de sp a rio' },
        { path: 'data', code: 'span', name: 'para: de sp a rio' },
      ],
    })
    expect(typeof found === 'string' ? [] : [...found.entities.keys()]).toEqual(['de'])
  })

  const features = [
    { name: 'cep', pattern: '\\d{5}' },
    { name: 'saudação', pattern: 'ol[aá]' },
  ]
  const json = rasa({
    common_examples: [example('cep 1', { start: 4, end: 5, entity: 'cep' })],
    regex_features: features,
  })
  const markdown = '## regex:cep\n- \\d{5}\n## regex:saudação\n- ol[aá]\n## intent:ir\n- cep [1](cep)\n'

  test.each([
    ['JSON', json],
    ['Markdown', markdown],
  ])('patterns of Rasa 1 that belong to no entity, as %s', (_format, text) => {
    const found = read(text)
    if (typeof found === 'string') throw new Error(found)
    expect([...found.entities.keys()]).toEqual(['cep'])
    expect(Object.fromEntries(found.regexes)).toEqual({ cep: { entity: 'cep', pattern: '\\d{5}' } })
    expect(found.unread).toEqual([{ path: 'data', code: 'feature', name: 'saudação' }])
  })
})

describe('rejects unreadable data with the reason [N-6.3]', () => {
  test.for([
    ['{"a": ', 'nlusyntax'],
    ['{"nlu": [], "nlu": []}', 'nluduplicate'],
    ['{"text":"a","intent":"b"}\n{"text":', 'nlusyntax'],
    [`[${'['.repeat(200)}${']'.repeat(200)}]`, 'nludepth'],
    ['nlu:\n- intent: a\n  intent: b\n', 'nluduplicate'],
    ['nlu: [\n', 'nlusyntax'],
    ['just words', 'nluempty'],
    ['', 'nluempty'],
    ['{"other": 1}', 'nluempty'],
  ])('%s', ([text = '', rule]) => {
    expect(read(text)).toBe(rule)
  })

  test('a flood of aliases', () => {
    const levels = Array.from(
      { length: 12 },
      (_, at) =>
        `a${at}: &a${at} [${Array(10)
          .fill(`*a${at - 1}`)
          .join(',')}]`,
    )
    expect(read(`nlu: []\na-1: &a-1 [x]\n${levels.join('\n')}\n`, 'a.yml')).toBe('nlualias')
  })

  test('names of what every object has are names like others', () => {
    const yaml = 'nlu:\n- intent: __proto__\n  examples: |\n    - oi\n- intent: constructor\n  examples: |\n    - olá\n'
    const found = read(yaml)
    expect(typeof found === 'string' ? [] : [...found.intents.keys()]).toEqual(['__proto__', 'constructor'])
  })
})

describe('an archive is read within bounds [N-6.4]', () => {
  const LIMITS = { maxFiles: 3, maxBytes: 1000 }
  const text = (content: string) => new TextEncoder().encode(content)
  const ruleOf = (result: ReturnType<typeof unzip>) => (result.ok ? 'ok' : result.refusal.errors?.[0]?.params?.rule)

  test('of files, bytes and paths', () => {
    expect(ruleOf(unzip(zipSync({ 'a/b.json': text('{}') }), LIMITS))).toBe('ok')
    expect(ruleOf(unzip(zipSync({ a: text('a'.repeat(1001)) }), LIMITS))).toBe('nluzipsize')
    expect(ruleOf(unzip(zipSync({ a: text('1'), b: text('2'), c: text('3'), d: text('4') }), LIMITS))).toBe(
      'nluzipsize',
    )
    for (const path of ['../a', '/a', 'a/../../b', 'C:\\a'])
      expect(ruleOf(unzip(zipSync({ [path]: text('1') }), LIMITS))).toBe('nluzippath')
    expect(ruleOf(unzip(text('PK\u0003\u0004 no zip'), LIMITS))).toBe('nluzip')
    expect(isZip(text('{}'))).toBe(false)
  })

  test('for any declared size', () => {
    const bytes = zipSync({ a: text('a'.repeat(100_000)) })
    // The declared size of the only file, in its local header and in the directory at the end.
    const view = new DataView(bytes.buffer)
    view.setUint32(22, 10, true)
    const directory = bytes.findLastIndex(
      (_, at) => view.byteLength - at >= 46 && view.getUint32(at, true) === 0x02014b50,
    )
    view.setUint32(directory + 24, 10, true)
    const read = unzip(bytes, LIMITS)
    expect(read.ok ? [...read.value.values()].map(({ length }) => length) : read.refusal.code).toSatisfy(
      (found: unknown) => found === 'nlu.format' || (Array.isArray(found) && found.every(length => length <= 10)),
    )
  })

  test('in UTF-8 alone', () => {
    const utf16 = Uint8Array.of(0xff, 0xfe, 0x61, 0x00)
    for (const bytes of [utf16, Uint8Array.of(0xe9), Uint8Array.of(0x61, 0x00)])
      expect(decodeUtf8('x', bytes).ok).toBe(false)
    expect(decodeUtf8('x', text('\uFEFFolá'))).toEqual({ ok: true, value: 'olá' })
  })
})

import { describe, expect, test } from 'vitest'
import { checkTestNames } from './check-names.ts'
import { readTestFile } from './read-test-file.ts'
import { writeTestFile } from './test-file.ts'
import { readDuration, writeDuration } from './test-schema.ts'

const SOURCE = `format: parley-test
version: 1
name: Segunda via sem cadastro
given: { task: Boletos, channel: webchat, now: 2026-05-04T10:00:00-03:00, user: { id: t1 }, variables: { tentativas: 0 } }
stubs:
  - { rest: GET /clientes/*, answers: [{ status: 404 }, { status: 200, body: { nome: Ana } }] }
  - { nlu: quero meu boleto, intent: boleto, confidence: 0.93 }
steps:
  - user: oi
  - bot: { text: "Olá! Qual é o seu CPF?", wait: number }
  - user: 529.982.247-25
  - bot: { contains: Ana, options: [Sim, Não] }
  - choose: Sim
  - wait: 41 s
  - bot: { matches: "^Ainda" }
  - expect: { at: Confirmar, variables: { cpf: "52998224725" }, tags: [boleto], called: [{ rest: GET /clientes/*, times: 2 }], retained: true }
`
const faults = (source: string) => {
  const read = readTestFile(source)
  return read.ok ? [] : read.errors.map(({ line, path, code }) => `${line} ${path} ${code}`)
}
const withStep = (step: string) => `format: parley-test\nversion: 1\nname: t\nsteps:\n  - ${step}\n`

describe('file of a conversation test', () => {
  test('is parsed as in the rules, in YAML and in JSON [R-86]', () => {
    const read = readTestFile(SOURCE)
    if (!read.ok) throw new Error(JSON.stringify(read.errors))
    expect(read.file.steps.map(({ kind, line }) => `${line} ${kind}`)).toEqual([
      '9 user',
      '10 bot',
      '11 user',
      '12 bot',
      '13 choose',
      '14 wait',
      '15 bot',
      '16 expect',
    ])
    expect(read.file.stubs[0]).toMatchObject({ kind: 'rest', rest: 'GET /clientes/*' })
    const json = readTestFile(
      JSON.stringify(
        { format: 'parley-test', version: 1, name: 'j', loose: true, steps: [{ user: 'oi' }] },
        null,
        '\t',
      ),
    )
    expect(json).toMatchObject({ ok: true, file: { loose: true, steps: [{ kind: 'user', value: 'oi', line: 7 }] } })
  })

  test('keeps words that look like numbers as they are written [R-86]', () => {
    const read = readTestFile(withStep('user: 007\n  - bot: { text: 1.50, options: [01, true] }'))
    expect(read).toMatchObject({
      ok: true,
      file: { steps: [{ value: '007' }, { value: { text: '1.50', options: ['01', 'true'] } }] },
    })
  })

  test.each([
    ['', ['1  format']],
    ['format: other\nversion: 1', ['1 format format']],
    ['format: parley-test\nversion: 2\nname: a\nsteps: [{ user: oi }]', ['2 version format']],
    ['format: parley-test\nversion: 1\nsteps: [{ user: oi }]', ['1 name required']],
    ['format: parley-test\nversion: 1\nname: a\nsteps: []', ['4 steps required']],
    ['format: parley-test\nversion: 1\nname: a\nsteps: [1', ['4  syntax']],
    ['format: parley-test\nname: a\nname: b', ['3  syntax']],
    [withStep('say: oi'), ['5 steps.0 step']],
    [withStep('user: oi\n    bot: tchau'), ['6 steps.0.bot unknown']],
    [withStep('bot: { txt: oi }'), ['5 steps.0.bot.txt unknown']],
    [withStep('bot: { matches: "(" }'), ['5 steps.0.bot.matches pattern']],
    [withStep('wait: soon'), ['5 steps.0.wait duration']],
    [withStep('expect: { status: busy }'), ['5 steps.0.expect.status option']],
    [withStep('user: [a]'), ['5 steps.0.user type']],
    [
      withStep('user: oi\nstubs:\n  - { soap: x }\n  - { rest: GET /a, answers: [] }'),
      ['7 stubs.0 stub', '8 stubs.1.answers required'],
    ],
  ])('tells by line and path what is wrong: %j [R-86]', (source, expected) => {
    expect(faults(source)).toEqual(expected)
  })

  test('with aliases that expand to billions of nodes, or of half a megabyte, is refused [R-86]', () => {
    const rows = ['a: &a [x,x,x,x,x,x,x,x,x]']
    for (const [name, before] of ['ba', 'cb', 'dc', 'ed', 'fe', 'gf', 'hg'].map(pair => [...pair]))
      rows.push(`${name}: &${name} [${Array(9).fill(`*${before}`).join()}]`)
    expect(faults(rows.join('\n'))).toEqual(['1  alias'])
    expect(faults('x'.repeat(500_000))).toEqual(['1  toolong'])
    expect(faults('['.repeat(5000)).length).toBeGreaterThan(0)
  })

  test('names blocks, tasks, handlers and variables that the bot has [R-87]', () => {
    const read = readTestFile(SOURCE)
    if (!read.ok) throw new Error('unread')
    const names = {
      tasks: [{ id: 't', name: 'boletos' }],
      dialogs: [],
      handlers: [],
      blocks: [{ id: 'b', name: 'CONFIRMAR' }],
      variables: ['cpf', 'tentativas'],
    }
    expect(checkTestNames(read.file, names, read.placeOf)).toEqual([])
    const wrong = checkTestNames(read.file, { ...names, tasks: [], blocks: [], variables: ['cpf'] }, read.placeOf)
    expect(wrong.map(({ line, path, code, text }) => `${line} ${path} ${code} ${text}`)).toEqual([
      '4 given.task task Boletos',
      '4 given.variables.tentativas variable tentativas',
      '16 steps.7.expect.at block Confirmar',
    ])
  })

  test('is written from what happened, so that it is read again, with an example for what is masked [R-82]', () => {
    const began = Date.parse('2026-05-04T13:00:00Z')
    const source = writeTestFile({
      name: 'Da conversa: "oi"',
      began,
      given: { task: 'Boletos' },
      stubs: [{ kind: 'rest', rest: 'GET /clientes/1', answers: [{ status: 200, body: { nome: 'Ana' } }] }],
      events: [
        { kind: 'bot', message: { type: 'text', text: 'Senha?', wait: { kind: 'text' } } },
        { kind: 'masked', time: began + 5000, example: 'segredo1' },
        {
          kind: 'bot',
          message: { type: 'text', text: '007', actions: [{ title: 'Sim' }, { title: 'Pular', type: 'skip' }] },
        },
        { kind: 'choice', title: 'Sim', time: began + 9000 },
        { kind: 'bot', message: { type: 'card', title: 'Oferta', actions: [] } },
        { kind: 'clock', time: began + 49_200 },
        { kind: 'bot', message: { type: 'text', text: null } },
      ],
      end: { at: 'Fim' },
    })
    const read = readTestFile(source)
    if (!read.ok) throw new Error(JSON.stringify([read.errors, source]))
    expect(read.file).toMatchObject({
      name: 'Da conversa: "oi"',
      given: { task: 'Boletos', now: '2026-05-04T13:00:00.000Z' },
      stubs: [{ kind: 'rest', answers: [{ body: { nome: 'Ana' } }] }],
    })
    expect(read.file.steps.map(({ kind, value }) => ({ [kind]: value }))).toEqual([
      { bot: { text: 'Senha?', wait: 'text' } },
      { user: 'segredo1' },
      { bot: { text: '007', options: ['Sim'] } },
      { choose: 'Sim' },
      { bot: { type: 'card', card: 'Oferta' } },
      { wait: '41 s' },
      { bot: 'any' },
      { expect: { at: 'Fim' } },
    ])
  })

  test('takes durations in words and writes them in the largest exact unit [R-87]', () => {
    const texts = ['41 s', '2min', '1 h 30 min', '500 ms', '1,5 h', '30', '0', 'x', '5 parsecs', '900 d']
    expect(texts.map(readDuration)).toEqual([
      41_000,
      120_000,
      5_400_000,
      500,
      5_400_000,
      30_000,
      undefined,
      undefined,
      undefined,
      undefined,
    ])
    expect([41_000, 120_000, 90_000, 86_400_000, 500].map(writeDuration)).toEqual([
      '41 s',
      '2 min',
      '90 s',
      '1 d',
      '500 ms',
    ])
  })
})

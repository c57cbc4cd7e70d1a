import { expect, test } from 'vitest'
import type { CompiledBlock, Release } from '#domain/conversation/release.ts'
import type { ReplayTurn } from '#schemas/api/conversation.ts'
import type { JsonObject } from '#schemas/event.ts'
import { replayedStubs } from './replayed-stubs.ts'

const block = (id: string, type: string, properties: JsonObject = {}): CompiledBlock =>
  ({ id, type, title: `Block ${id}`, properties, next: new Map() }) as unknown as CompiledBlock

const releaseOf = (...blocks: readonly CompiledBlock[]): Release =>
  ({
    dialogs: new Map([['d', { dialog: 'd', start: '', blocks: new Map(blocks.map(each => [each.id, each])) }]]),
    handlers: new Map(),
  }) as unknown as Release

const step = (id: string, type: string, more: object = {}) => ({
  frame: 1,
  dialog: 'd',
  block: id,
  type,
  out: 'output_1',
  ms: 1,
  wrote: [],
  ...more,
})
const turn = (said: string | null, more: Partial<ReplayTurn> = {}): ReplayTurn =>
  ({
    turn: 1,
    time: '2026-05-05T13:00:00Z',
    release: 1,
    input: {
      kind: 'message',
      time: '2026-05-05T13:00:00Z',
      said: said === null ? null : { type: 'text', text: said },
    },
    steps: [],
    said: [],
    wrote: {},
    kept: [],
    dropped: [],
    status: 'waiting',
    wait: null,
    problems: [],
    ended: null,
    failed: null,
    ...more,
  }) as ReplayTurn
const stubsOf = (turns: readonly ReplayTurn[], release = releaseOf(), asked: { nlu?: boolean; brain?: boolean } = {}) =>
  replayedStubs({ turns, release, nlu: false, brain: false, ...asked }).map(({ kind: _, ...stub }) => stub)

test('each call of a block has the answer that the bot kept or passed on [P-1053]', () => {
  const release = releaseOf(
    block('get', 'restservice', { methodType: 'get', url: 'https://a.example/{{id}}', resultVariable: 'r' }),
    block('news', 'rssfeed', { url: 'https://a.example/feed' }),
    block('ml', 'talktomlsystem', { input: '', resultVariable: 'm' }),
    block('mltold', 'talktomlsystem', { input: 'Sobre {{id}}' }),
    block('other', 'talktoanotherbot', { bot: 'bot-2' }),
    block('person', 'connecttoagent', { queue: 'sac' }),
  )
  const turns = [
    turn('oi', {
      steps: [step('get', 'restservice'), step('news', 'rssfeed'), step('ml', 'talktomlsystem')],
      wrote: {
        r: { nome: 'Ana' },
        m: { text: ['Olá'], intent: 'oi', confidence: 0.8, entities: [], payload: { a: 1 } },
      },
      said: [
        {
          block: 'news',
          type: 'carousel',
          cards: [{ title: 'T', text: 'D', image: 'i', actions: [{ id: '1', value: 'https://l' }] }],
        },
      ] as unknown as ReplayTurn['said'],
    }),
    turn('e aí', {
      steps: [
        step('get', 'restservice', { out: 'output_error' }),
        step('mltold', 'talktomlsystem'),
        step('other', 'talktoanotherbot', { out: null }),
      ],
      said: [
        { block: 'mltold', text: 'Do sistema' },
        { block: 'other', text: 'Do outro' },
      ] as unknown as ReplayTurn['said'],
      wait: { block: 'other', kind: 'bot' },
    }),
    turn('gente', {
      steps: [
        step('person', 'connecttoagent', { out: null, agent: true }),
        step('news', 'rssfeed', { problem: 'feed.failed' }),
      ],
      status: 'agent',
    }),
  ]
  expect(stubsOf(turns, release)).toEqual([
    {
      rest: 'GET https://a.example/*',
      answers: [{ status: 200, body: { nome: 'Ana' } }, { error: 'failed' }],
    },
    {
      feed: 'https://a.example/feed',
      answers: [{ items: [{ title: 'T', description: 'D', link: 'https://l', image: 'i' }] }, { error: 'feed.failed' }],
    },
    { ml: 'oi', texts: ['Olá'], intent: 'oi', confidence: 0.8, payload: { a: 1 } },
    { ml: 'Sobre *', texts: ['Do sistema'] },
    { bot: 'bot-2', texts: ['Do outro'], waits: true },
    { agent: 'sac', accepts: true },
  ])
})

test('a script has the result that is known, and is run where none is or nobody may read it [P-1053]', () => {
  const release = releaseOf(
    block('known', 'handler', {}),
    block('kept', 'handler', { resultVariable: 'v' }),
    block('masked', 'handler', { resultVariable: 'm' }),
    block('silent', 'handler', {}),
  )
  const turns = [
    turn('a', { steps: [step('known', 'handler')], handler: { result: { nome: 'Ana' } } }),
    turn('b', {
      steps: [step('kept', 'handler', { wrote: ['v'] }), step('masked', 'handler'), step('silent', 'handler')],
      wrote: { v: 3, m: '••••••' },
    }),
    turn('c', {
      steps: [step('known', 'handler', { problem: 'handler.failed' })],
      handler: { error: { message: 'Oh' } },
    }),
    turn('d', { handler: { result: 7 } }),
  ]
  expect(stubsOf(turns, release)).toEqual([
    { handler: 'Block known', answers: [{ result: { nome: 'Ana' } }, { error: 'Oh' }] },
    { handler: 'Block kept', result: 3 },
    { handler: 'Block masked', run: true },
    { handler: 'Block silent', run: true },
    // Run by an intent: the stub for any script comes last.
    { handler: '*', result: 7 },
  ])
})

test('stubs the model and brain results of user messages, once for each text [P-1053]', () => {
  const understood = { intent: 'boleto', confidence: 0.93, entities: { mes: 'maio' } }
  const turns = [
    turn('quero meu boleto', { understood, steps: [step('x', 'text')] }),
    turn('quero meu boleto', { steps: [step('x', 'text')] }),
    turn('sei lá'),
    turn('que horas abre?', {
      understood: { intent: 'horario', confidence: 0.8, entities: {} },
      said: [{ block: null, text: 'Às 9' }] as unknown as ReplayTurn['said'],
    }),
    turn('••••••'),
    turn(null),
  ]
  const asked = stubsOf(turns, releaseOf(), { nlu: true, brain: true })
  expect(asked.filter(stub => 'nlu' in stub)).toEqual([
    { nlu: 'quero meu boleto', intent: 'boleto', confidence: 0.93, entities: { mes: 'maio' } },
    { nlu: 'sei lá' },
    { nlu: 'que horas abre?' },
  ])
  expect(asked.filter(stub => 'brain' in stub)).toEqual([
    { brain: 'quero meu boleto' },
    { brain: 'sei lá' },
    { brain: 'que horas abre?', intent: 'horario', confidence: 0.8, texts: ['Às 9'] },
  ])
  expect(stubsOf(turns)).toEqual([])
})

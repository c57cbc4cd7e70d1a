import { describe, expect, test } from 'vitest'
import type { EffectAnswer } from '#domain/conversation/effect.ts'
import {
  ask,
  type DialogSketch,
  evaluated,
  releaseOf,
  say,
  settingsWith,
  start,
} from '#domain/conversation/fixture/talk.ts'
import type { ReleasedHandler, TurnSettings } from '#domain/conversation/release.ts'
import { processorMs } from '#test/fixture/processor-clock.ts'
import type { InnerEffect } from './answer-call.ts'
import { readTestFile } from './read-test-file.ts'
import { runTest } from './run-test.ts'
import type { TestResult } from './test-result.ts'

const answerOf = async (effect: InnerEffect): Promise<EffectAnswer> => {
  if (effect.kind === 'script') return { kind: 'script', ms: 0, ok: true, value: 'ran' }
  if (effect.kind === 'holiday') return { kind: 'holiday', ms: 0, days: [] }
  return { kind: 'evaluate', ms: 0, values: await Promise.all(effect.jobs.map(job => evaluated(job, effect.context))) }
}

interface Given {
  readonly steps: string
  readonly head?: string
  readonly settings?: Partial<TurnSettings>
  readonly handlers?: readonly ReleasedHandler[]
}

const run = async (
  main: DialogSketch,
  { steps, head = '', settings = {}, handlers = [] }: Given,
): Promise<TestResult> => {
  const lines = steps.split('\n').map(step => `  - ${step.trim()}`)
  const read = readTestFile(`format: parley-test\nversion: 1\nname: t\n${head}\nsteps:\n${lines.join('\n')}\n`)
  if (!read.ok) throw new Error(JSON.stringify(read.errors))
  const bot = {
    release: releaseOf({ main }, handlers),
    settings: settingsWith(settings),
    dialogs: new Map([['main', 'Principal']]),
  }
  const running = runTest(read.file, bot)
  let step = running.next()
  while (!step.done) step = running.next(await answerOf(step.value))
  return step.value
}

const PASSED = { passed: true }
const greet: DialogSketch = {
  start,
  a: say('Olá {{input.text}}', 'b'),
  b: ask('text', 'nome', 'c'),
  c: say('Oi {{nome}}'),
}
const call: DialogSketch = {
  start,
  a: {
    type: 'restservice',
    properties: {
      url: 'https://api.test/clientes/{{input.text}}',
      methodType: 'get',
      resultVariable: 'r',
      errorVariable: 'e',
    },
    to: { output_1: 'b', output_error: 'c' },
  },
  b: say('Achei {{r.nome}}'),
  c: say('Erro {{e.status}}', 'a2'),
  a2: {
    type: 'restservice',
    properties: { url: 'https://api.test/clientes/2', methodType: 'get', resultVariable: 'r' },
    to: 'b',
  },
}

describe('run of a conversation test', () => {
  test('passes when the bot says what is expected, and tells path and coverage [R-88]', async () => {
    const result = await run(greet, {
      steps:
        'user: oi\nbot: Olá oi\nbot: { text: "nome?", wait: text }\nuser: Ana\nbot: Oi Ana\nexpect: { idle: true, visited: [a, c], notvisited: [start2] }',
    })
    expect(result).toMatchObject(PASSED)
    expect(result.path.map(({ step, block, out }) => `${step} ${block} ${out}`)).toEqual([
      '1 start output_1',
      '1 a output_1',
      '1 b null',
      '4 b output_1',
      '4 c output_1',
    ])
    expect(result.coverage).toContainEqual({ dialog: 'main', block: 'b', out: 'output_1' })
  })

  test.each([
    ['user: oi\nbot: Tchau', { step: 2, line: 7, kind: 'message', expected: 'Tchau', got: 'Olá oi' }],
    ['user: oi\nbot: any\nuser: Ana', { step: 2, kind: 'extra', got: [{ text: 'nome?', wait: 'text' }] }],
    ['user: oi\nbot: any\nbot: any\nbot: any', { step: 4, kind: 'silent', expected: 'any', got: null }],
    ['user: oi\nbot: any\nbot: any\nchoose: Sim', { step: 4, kind: 'action', expected: { choose: 'Sim' }, got: [] }],
    [
      'user: oi\nbot: any\nbot: any\nexpect: { at: c }',
      { step: 4, kind: 'state', expected: { at: 'c' }, got: { at: 'b' } },
    ],
    [
      'user: oi\nbot: any\nbot: any\nuser: Ana\nbot: any\nexpect: { variables: { nome: Eva } }',
      { step: 6, kind: 'state', got: { variables: { nome: 'Ana' } } },
    ],
    ['user: oi\nbot: any\nbot: { matches: "^nome$" }', { step: 3, kind: 'message' }],
    ['user: oi\nbot: any\nbot: { options: [Sim] }', { step: 3, kind: 'message' }],
  ])('fails where it does not hold: %j [R-87]', async (steps, failure) => {
    expect(await run(greet, { steps })).toMatchObject({ passed: false, ...failure })
  })

  test('passes over messages that no step names when it is loose [R-87]', async () => {
    const steps = 'user: oi\nuser: Ana\nbot: { contains: Ana }'
    expect(await run(greet, { steps, head: 'loose: true' })).toMatchObject(PASSED)
    expect(await run(greet, { steps: `${steps}\nbot: Fim`, head: 'loose: true' })).toMatchObject({
      step: 4,
      kind: 'silent',
    })
  })

  test('answers calls by stubs one after another and counts them; a call without one fails it [R-87]', async () => {
    const head =
      'stubs:\n  - { rest: GET /clientes/*, answers: [{ status: 404 }, { status: 200, body: { nome: Ana } }] }'
    const steps = 'user: "1"\nbot: Erro 404\nbot: Achei Ana\nexpect: { called: [{ rest: GET /clientes/*, times: 2 }] }'
    expect(await run(call, { head, steps })).toMatchObject(PASSED)
    const once = steps.replace('times: 2', 'times: 1')
    expect(await run(call, { head, steps: once })).toMatchObject({ step: 4, kind: 'state' })
    expect(await run(call, { steps })).toMatchObject({
      step: 1,
      kind: 'call',
      got: { rest: 'GET https://api.test/clientes/1' },
      path: [{ block: 'start' }],
    })
  })

  test('asks no model and runs no script but as its stubs say [R-87]', async () => {
    const settings = { nlu: { ...settingsWith().nlu, enabled: true } }
    const nlu = 'stubs:\n  - { nlu: "*", intent: greet }\n'
    const steps = 'user: oi\nbot: any\nbot: any'
    expect(await run(greet, { steps, settings })).toMatchObject({ kind: 'call', got: { nlu: 'oi' } })
    expect(await run(greet, { steps, settings, head: nlu })).toMatchObject(PASSED)
    const script: DialogSketch = {
      start,
      a: { type: 'handler', properties: { quickscript: true, js: 'x', resultVariable: 'r' }, to: 'b' },
      b: say('{{r}}'),
    }
    expect(await run(script, { steps: 'user: oi' })).toMatchObject({ kind: 'call', got: { handler: 'a' } })
    const stubbed = 'stubs:\n  - { handler: a, result: dois }'
    expect(await run(script, { steps: 'user: oi\nbot: dois', head: stubbed })).toMatchObject(PASSED)
    const runs = 'stubs:\n  - { handler: "*", run: true }'
    expect(await run(script, { steps: 'user: oi\nbot: ran', head: runs })).toMatchObject(PASSED)
  })

  test('advances its own clock: a reminder, then the end; the next message starts over [R-88]', async () => {
    const messages = new Map([
      ['conversation.stillthere', 'Ainda aí?'],
      ['conversation.ended', 'Tchau'],
    ])
    const steps = `user: oi\nbot: any\nbot: any\nwait: 41 s\nbot: { matches: "^Ainda" }\nexpect: { status: waiting }
      wait: 80 s\nbot: Tchau\nexpect: { ended: timeout }\nuser: de novo\nbot: Olá de novo\nbot: any`
    expect(await run(greet, { steps, settings: { messages } })).toMatchObject(PASSED)
  })

  test('begins at a block, opens automatically, presses, chooses, locates and attaches [R-87]', async () => {
    const main: DialogSketch = {
      start: { type: 'start', to: 'menu' },
      menu: ask(
        'choice',
        'x',
        { output_1: 'onde' },
        { data: { text: 'Qual?', options: [{ label: 'Boleto', value: 'b' }, { label: 'Outro' }] } },
      ),
      onde: ask('location', 'lugar', 'foto'),
      foto: ask('attachment', 'arquivo', 'fim'),
      fim: say('{{x}} {{lugar.address}} {{arquivo.contentType}}'),
    }
    const steps = `bot: { text: "Qual?", options: [Boleto, Outro], wait: choice }\nchoose: boleto\nbot: { wait: location }
      locate: Rua A\nbot: { wait: attachment }\nattach: https://a.test/x.png\nbot: b Rua A image/png`
    expect(await run(main, { steps })).toMatchObject(PASSED)
    const later = 'user: x\nbot: { wait: location }'
    expect(await run(main, { head: 'given: { block: Onde }', steps: later })).toMatchObject(PASSED)
    expect(
      await run(main, { head: 'given: { dialog: principal }', steps: 'bot: { options: [Boleto, Outro] }' }),
    ).toMatchObject(PASSED)
    expect(await run(main, { head: 'given: { task: Nenhuma }', steps: later })).toMatchObject({
      kind: 'begin',
      expected: 'Nenhuma',
    })
    expect(
      await run(main, { steps: 'menu: restart\nbot: any\nevent: leave\nexpect: { ended: person }' }),
    ).toMatchObject(PASSED)
  })

  test('takes at most 100 ms for 20 exchanges [R-88]', async () => {
    const loop: DialogSketch = {
      start,
      a: ask('text', 'nome', 'b'),
      b: say('Oi {{nome}}', 'go'),
      go: { type: 'gotonodesrc', properties: { destination: 'a' } },
    }
    const steps = ['bot: any', ...Array.from({ length: 20 }, (_, n) => `user: p${n}\nbot: Oi p${n}\nbot: any`)].join(
      '\n',
    )
    await run(loop, { steps })
    const times: number[] = []
    for (let round = 0; round < 5; round += 1) {
      const began = processorMs()
      expect(await run(loop, { steps })).toMatchObject(PASSED)
      times.push(processorMs() - began)
    }
    expect(Math.min(...times)).toBeLessThan(100)
  })
})

describe('the block of a failure', () => {
  const failing = async (main: DialogSketch, steps: string) => {
    const { passed, at, kind } = await run(main, { steps })
    expect(passed).toBe(false)
    return [kind, at?.dialog, at?.block]
  }

  test('is the one that said the wrong message, not the one where the turn ended [P-1821]', async () => {
    const two: DialogSketch = { start, a: say('Bom dia', 'b'), b: ask('text', 'nome', 'c'), c: say('Oi') }
    expect(await failing(two, 'user: oi\nbot: Boa tarde\nbot: any')).toEqual(['message', 'main', 'a'])
    expect(await failing(two, 'user: oi\nbot: Bom dia\nbot: outra')).toEqual(['message', 'main', 'b'])
    expect(await failing(two, 'user: oi\nbot: Bom dia')).toEqual(['extra', 'main', 'b'])
  })

  test('is the one that made a call without an answer, or the one where the conversation is [P-1821]', async () => {
    expect(await failing(call, 'user: oi\nbot: any')).toEqual(['call', 'main', 'a'])
    expect(await failing(greet, 'user: oi\nbot: any\nbot: any\nbot: mais')).toEqual(['silent', 'main', 'b'])
    expect(await failing(greet, 'user: oi\nbot: any\nbot: any\nexpect: { at: c }')).toEqual(['state', 'main', 'b'])
  })

  test('keeps the variables of a dialog that ended, and the flows that ran [P-1821] [P-1822]', async () => {
    const settings = {
      variables: [{ name: 'nome', scope: 'dialog' as const, task: null, dialog: null }],
    } as unknown as Partial<TurnSettings>
    const { passed, values, flows } = await run(greet, {
      steps: 'user: oi\nbot: any\nbot: any\nuser: Ana\nbot: Oi Ana',
      settings,
    })
    expect({ passed, values, flows }).toEqual({ passed: true, values: { nome: 'Ana' }, flows: ['main'] })
  })
})

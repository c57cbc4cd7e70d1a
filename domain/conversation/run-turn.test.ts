import { describe, expect, it } from 'vitest'
import { ask, NOW, open, releaseOf, say, settingsWith, start, talk, variable } from './fixture/talk.ts'

describe('a turn', () => {
  it('goes from the start to the first question and waits there [R-16] [R-24]', async () => {
    const chat = talk(
      releaseOf({ main: { start, a: say('Olá', 'b'), b: ask('text', 'nome', 'c'), c: say('Oi, {{nome}}') } }),
    )
    expect(await chat.say(open)).toEqual(['Olá', 'nome?'])
    expect(chat.state.status).toBe('waiting')
    expect(await chat.say('Ana')).toEqual(['Oi, Ana'])
    expect(chat.state.status).toBe('idle')
    expect(chat.state.frames).toEqual([])
  })

  it('tells each block that ran, by which output it left, and what it wrote [R-59]', async () => {
    const chat = talk(releaseOf({ main: { start, a: ask('text', 'nome', 'b'), b: say('Oi') } }))
    await chat.say(open)
    await chat.say('Ana')
    expect(chat.last.steps.map(({ block, out, wrote }) => [block, out, wrote])).toEqual([
      ['a', 'output_1', ['nome']],
      ['b', 'output_1', []],
    ])
    expect(JSON.stringify(chat.last.steps)).not.toContain('Ana')
  })

  it('answers the same to the same: nothing in it knows a clock or chance [R-13]', async () => {
    const run = async () => {
      const chat = talk(releaseOf({ main: { start, a: ask('number', 'n', 'b'), b: say('{{n * 2}}') } }))
      await chat.say(open)
      await chat.say('21')
      return JSON.stringify(chat.last)
    }
    expect(await run()).toBe(await run())
  })

  it('continues past an expression that fails and reports its place [R-14]', async () => {
    const chat = talk(releaseOf({ main: { start, a: say('x {{nobody(1)}} y', 'b'), b: say('Fim') } }))
    expect(await chat.say(open)).toEqual(['x  y', 'Fim'])
    expect(chat.last.problems).toEqual([{ code: 'expression.function', at: 'text' }])
  })

  it('ends a knot of blocks, names it and is idle again [R-23]', async () => {
    const chat = talk(releaseOf({ main: { start, a: { type: 'marker', to: 'b' }, b: { type: 'marker', to: 'a' } } }))
    expect(await chat.say(open)).toEqual(['conversation.error'])
    expect(chat.last.failed).toMatchObject({ limit: 'sameBlock', loop: ['a', 'b'] })
    expect(chat.state).toMatchObject({ status: 'idle', frames: [] })
    // The bot has heard nothing yet: the next word begins its default task, which may be mended by then.
    expect(await chat.say('Oi')).toEqual(['conversation.error'])
  })

  it('says at most fifty messages and opens at most 32 dialogs [R-10] [R-23]', async () => {
    const many = Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`m${at}`, say(`${at}`, `m${at + 1}`)]))
    const chat = talk(releaseOf({ main: { start: { type: 'start', to: 'm0' }, ...many } }))
    await chat.say(open)
    expect(chat.last.failed?.limit).toBe('messages')
    const deep = talk(releaseOf({ main: { start, a: { type: 'subdialog', properties: { subScenario: 'main' } } } }))
    await deep.say(open)
    expect(deep.last.failed?.limit).toBe('frames')
  })
})

describe('dialogs', () => {
  it('gives a sub-dialog its own variables and continues its caller after it [R-29]', async () => {
    const settings = settingsWith({ variables: [variable('x')] })
    const set = (value: string, to: string) => ({
      type: 'assignvariables',
      properties: { variables: [{ name: 'x', value }] },
      to,
    })
    const release = releaseOf({
      main: {
        start,
        a: set('fora', 'b'),
        b: { type: 'subdialog', properties: { subScenario: 'sub' }, to: 'c' },
        c: say('{{x}}'),
      },
      sub: { start, a: set('dentro', 'b'), b: say('{{x}}') },
    })
    expect(await talk(release, settings).say(open)).toEqual(['dentro', 'fora'])
    const context = releaseOf({
      main: {
        start,
        a: set('fora', 'b'),
        b: { type: 'contextdialog', properties: { dialog: 'sub' }, to: 'c' },
        c: say('{{x}}'),
      },
      sub: { start, a: set('dentro', 'b'), b: say('{{x}}') },
    })
    expect(await talk(context, settings).say(open)).toEqual(['dentro', 'dentro'])
  })

  it('another task takes everything over, or is waited for [R-31]', async () => {
    const tasks = new Map([
      ['task', { id: 'task', name: 'T', principal: 'main', utterances: [] }],
      ['other', { id: 'other', name: 'O', principal: 'sub', utterances: [] }],
    ])
    const with_ = (type: string) =>
      talk(
        releaseOf({
          main: {
            start,
            a: { type, properties: { task: 'other' }, ...(type === 'gototask' ? {} : { to: 'b' }) },
            b: say('de volta'),
          },
          sub: { start, a: say('outra') },
        }),
        settingsWith({ tasks }),
      ).say(open)
    expect(await with_('gototask')).toEqual(['outra'])
    expect(await with_('gototaskandwait')).toEqual(['outra', 'de volta'])
  })

  it('goes back to the last answered question, with its variable as it was [R-34]', async () => {
    const chat = talk(
      releaseOf({ main: { start, a: ask('text', 'um', 'b'), b: ask('text', 'dois', 'c'), c: { type: 'goback' } } }),
    )
    await chat.say(open)
    await chat.say('1')
    expect(await chat.say('2')).toEqual(['dois?'])
    expect(chat.state.variables).toEqual({ um: '1', dois: null })
    await chat.say('3')
    expect(chat.state.variables.um).toBe('1')
  })

  it('ends with a conversation, and an open end ends its dialog [R-22] [R-33]', async () => {
    const chat = talk(releaseOf({ main: { start, a: say('Tchau', 'b'), b: { type: 'endconversation' } } }))
    await chat.say(open)
    expect([chat.state.status, chat.last.ended]).toEqual(['ended', 'flow'])
  })
})

describe('an interruption', () => {
  const release = releaseOf({
    main: { start, a: ask('number', 'idade', 'b'), b: say('{{idade}}') },
    help: { start, a: say('Ajuda') },
  })
  const mapping = {
    type: 'usermessage',
    of: ['Ajuda!'],
    level: 'bot',
    within: null,
    offOnPrompts: false,
    target: { action: 'calldialog', dialog: 'help' },
  } as const

  it('runs its dialog, and then the question is asked again without a try counted [R-15] [R-18]', async () => {
    const chat = talk(release, settingsWith({ mappings: [mapping] }))
    await chat.say(open)
    await chat.say('x')
    expect(await chat.say('ajuda!')).toEqual(['Ajuda', 'idade?'])
    expect(chat.state.frames[0]?.wait?.tries).toBe(1)
    expect(await chat.say('7')).toEqual(['7'])
  })

  it('by an intent of a model: cancel, going back and yes have their own meaning [R-17] [R-19]', async () => {
    const nlu = { ...settingsWith().nlu, enabled: true, intentConfidence: 0.6 }
    const understood = (name: string, confidence = 0.9) => ({
      nlu: () => ({ ok: true as const, intents: [{ name, confidence }], entities: [] }),
    })
    const cancelled = talk(release, settingsWith({ nlu }), understood('cancel'))
    await cancelled.say(open)
    expect(await cancelled.say('deixa pra lá')).toEqual(['conversation.cancelled'])
    expect(cancelled.state.status).toBe('idle')
    const unsure = talk(release, settingsWith({ nlu }), understood('cancel', 0.5))
    await unsure.say(open)
    expect(await unsure.say('deixa pra lá')).toEqual(['prompt.invalid.number', 'idade?'])
    const confirm = releaseOf({ main: { start, a: ask('confirm', 'certo', 'b'), b: say('{{certo}}') } })
    const affirmed = talk(confirm, settingsWith({ nlu }), understood('affirm'))
    await affirmed.say(open)
    expect(await affirmed.say('bora')).toEqual(['true'])
  })
})

describe('time', () => {
  const release = releaseOf({ main: { start, a: ask('text', 'nome', 'b'), b: say('ok') } })

  it('reminds once, counts no try, and then ends [R-71]', async () => {
    const chat = talk(release)
    await chat.say(open)
    expect(chat.state.frames[0]?.wait).toMatchObject({ remindAt: NOW + 40_000, endAt: NOW + 120_000 })
    expect(await chat.say({ kind: 'reminder' }, NOW + 40_000)).toEqual(['conversation.stillthere'])
    expect(chat.state.frames[0]?.wait).toMatchObject({ tries: 0, endAt: NOW + 120_000 })
    expect(chat.state.frames[0]?.wait?.remindAt).toBeUndefined()
    expect(await chat.say({ kind: 'timeout' }, NOW + 120_000)).toEqual(['conversation.ended'])
    expect([chat.state.status, chat.last.ended]).toEqual(['ended', 'timeout'])
  })

  it('runs a planned task, optionally not during a conversation [R-28]', async () => {
    const planned = (unlessBusy: boolean) =>
      talk(
        releaseOf({
          main: {
            start,
            a: {
              type: 'schedule',
              properties: {
                task: 'later',
                scheduleQuantity: 2,
                scheduleUnit: 'hour',
                dontExecuteIfInConversation: unlessBusy,
              },
              to: 'b',
            },
            b: ask('text', 'nome', 'c'),
            c: say('ok'),
          },
          later: { start, a: say('Lembrete') },
        }),
        settingsWith({
          tasks: new Map([
            ['task', { id: 'task', name: 'T', principal: 'main', utterances: [] }],
            ['later', { id: 'later', name: 'L', principal: 'later', utterances: [] }],
          ]),
        }),
      )
    const busy = planned(true)
    await busy.say(open)
    expect(busy.state.schedules).toMatchObject([{ id: 'a', at: NOW + 7_200_000 }])
    expect(await busy.say({ kind: 'schedule', id: 'a' })).toEqual([])
    expect(busy.last.skipped).toBe('a')
    expect(busy.state.status).toBe('waiting')
    const free = planned(false)
    await free.say(open)
    expect(await free.say({ kind: 'schedule', id: 'a' })).toEqual(['Lembrete', 'nome?'])
  })
})

describe('calls', () => {
  const call = {
    type: 'restservice',
    properties: { url: 'https://x.example/{{cpf}}', resultVariable: 'r', errorVariable: 'e' },
    to: { output_1: 'b', output_error: 'c' },
  }
  const release = releaseOf({ main: { start, a: call, b: say('{{r.nome}}'), c: say('{{e.code}} {{e.status}}') } })

  it('keep what was answered, or why nothing was [R-45]', async () => {
    const good = talk(release, settingsWith(), { rest: () => ({ ok: true, status: 200, body: { nome: 'Ana' } }) })
    expect(await good.say(open)).toEqual(['Ana'])
    const bad = talk(release, settingsWith(), {
      rest: () => ({ ok: false, error: { code: 'http', message: 'Not Found', status: 404 } }),
    })
    expect(await bad.say(open)).toEqual(['http 404'])
    expect(bad.last.problems).toEqual([{ code: 'call.failed', at: 'http' }])
  })

  it('of one block are bounded [R-23]', async () => {
    const chat = talk(
      releaseOf({ main: { start, a: { ...call, to: { output_1: 'a', output_error: 'a' } } } }),
      settingsWith(),
      {
        rest: () => ({ ok: true, status: 200, body: null }),
      },
    )
    await chat.say(open)
    expect(chat.last.failed?.limit).toBe('blockEffects')
    expect(chat.effects.filter(({ kind }) => kind === 'rest')).toHaveLength(20)
  })

  it('a script gets its parameters and spreads an object over declared variables [R-44]', async () => {
    const chat = talk(
      releaseOf({
        main: {
          start,
          a: { type: 'handler', properties: { quickscript: true, js: 'x', handlerparameters: ['cpf'] }, to: 'b' },
          b: say('{{nome}}{{outro}} {{handler.result.outro}}'),
        },
      }),
      settingsWith({ variables: [variable('nome', 'string', 'conversation')] }),
      { script: () => ({ ok: true, value: { nome: 'Ana', outro: 'x' } }) },
    )
    expect(await chat.say(open)).toEqual(['Ana x'])
  })
})

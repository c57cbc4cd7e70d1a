import { describe, expect, it, test } from 'vitest'
import {
  ask,
  type DialogSketch,
  NOW,
  open,
  releaseOf,
  say,
  settingsWith,
  start,
  talk,
  variable,
} from '../fixture/talk.ts'

const HOUR = 3_600_000
const task = (id: string, principal: string | null) => [id, { id, name: id, principal, utterances: [] }] as const
const tasks = new Map([task('task', 'main'), task('other', 'elsewhere'), task('empty', null)])
const set = (name: string, value: string, to: string): DialogSketch[string] => ({
  type: 'assignvariables',
  properties: { variables: [{ name, value }] },
  to,
})

describe('start and marker', () => {
  it('starts a dialog after its topmost start block [D-3.12.04]', async () => {
    const chat = talk(
      releaseOf({
        main: { first: { type: 'start', to: 'a' }, a: say('um'), second: { type: 'start', to: 'b' }, b: say('dois') },
      }),
    )
    expect(await chat.say(open)).toEqual(['um'])
  })

  it('ends a dialog without a start block at once [D-3.12.04] [R-24]', async () => {
    const chat = talk(releaseOf({ main: { a: say('nunca') } }))
    expect(await chat.say(open)).toEqual([])
    expect(chat.state.status).toBe('idle')
  })

  it('a marker passes on, and tells nobody [D-3.12.06] [R-25]', async () => {
    const chat = talk(releaseOf({ main: { start, a: { type: 'marker', to: 'b' }, b: say('depois') } }))
    expect(await chat.say(open)).toEqual(['depois'])
    expect(chat.last.steps.map(({ block, out }) => [block, out])).toContainEqual(['a', 'output_1'])
  })
})

describe('steps common to all blocks', () => {
  it('its tags are added once, and retention marks the conversation [R-22]', async () => {
    const tagged = (id: string, to: string): DialogSketch[string] => ({
      type: 'marker',
      properties: { retention: id === 'b', data: { tags: ['vip', id] } },
      to,
    })
    const chat = talk(releaseOf({ main: { start, a: tagged('a', 'b'), b: tagged('b', 'c'), c: say('{{tags}}') } }))
    await chat.say(open)
    expect(chat.state.tags).toEqual(['vip', 'a', 'b'])
    expect(chat.state.retained).toBe(true)
  })

  it('delays messages of a block with a delay by the step delay, and no others [D-3A.04] [C-9.02] [R-70]', async () => {
    const slow = { type: 'text', properties: { text: 'devagar', enableDelay: true }, to: 'b' }
    const chat = talk(releaseOf({ main: { start, a: slow, b: say('já') } }), settingsWith({ stepDelay: 1500 }))
    await chat.say(open)
    expect(chat.last.said.map(({ delay }) => delay)).toEqual([1500, 0])
  })
})

describe('other dialogs and tasks', () => {
  const scoped = settingsWith({ tasks, variables: [variable('x')] })

  it('a sub-dialog comes back, and one that is missing is passed over with a problem [D-3.12.16] [R-29]', async () => {
    const main = (subScenario: string) => ({
      start,
      a: { type: 'subdialog', properties: { subScenario }, to: 'b' },
      b: say('volta'),
    })
    expect(await talk(releaseOf({ main: main('sub'), sub: { start, a: say('dentro') } })).say(open)).toEqual([
      'dentro',
      'volta',
    ])
    const missing = talk(releaseOf({ main: main('gone') }))
    expect(await missing.say(open)).toEqual(['volta'])
    expect(missing.last.problems).toEqual([{ code: 'missing.dialog' }])
  })

  it('ends a dialog in the middle and continues its caller [D-3.12.23] [R-33]', async () => {
    const sub = { start, a: say('um', 'b'), b: { type: 'enddialog' }, c: say('nunca') }
    const main = { start, a: { type: 'subdialog', properties: { subScenario: 'sub' }, to: 'b' }, b: say('dois') }
    expect(await talk(releaseOf({ main, sub })).say(open)).toEqual(['um', 'dois'])
  })

  it('a conversation ends with all that runs in it [D-3.12.24] [R-33]', async () => {
    const sub = { start, a: { type: 'endconversation' } }
    const main = { start, a: { type: 'subdialog', properties: { subScenario: 'sub' }, to: 'b' }, b: say('nunca') }
    const chat = talk(releaseOf({ main, sub }))
    expect(await chat.say(open)).toEqual([])
    expect([chat.state.status, chat.state.frames, chat.last.ended]).toEqual(['ended', [], 'flow'])
  })

  test.each<[string, { readonly task: string; readonly taskdialog?: string }, readonly string[], string]>([
    ['gototask', { task: 'other' }, ['lá'], 'and does not come back [D-3.12.18]'],
    ['gototaskandwait', { task: 'other' }, ['lá', 'volta'], 'and comes back [D-3.12.19]'],
    [
      'gototaskandwait',
      { task: 'other', taskdialog: 'side' },
      ['ao lado', 'volta'],
      'at the dialog that is named [D-3.12.19]',
    ],
    ['gototask', { task: 'empty' }, [], 'that has no principal dialog: the dialog ends [R-31]'],
    ['gototaskandwait', { task: 'gone' }, ['volta'], 'that is missing: on with a problem [R-31]'],
  ])('%s goes to another task %j %j %s', async (type, properties, said) => {
    const release = releaseOf({
      main: { start, a: { type, properties, ...(type === 'gototask' ? {} : { to: 'b' }) }, b: say('volta') },
      elsewhere: { start, a: say('lá') },
      side: { start, a: say('ao lado') },
    })
    const chat = talk(release, scoped)
    expect(await chat.say(open)).toEqual(said)
    expect(chat.last.problems).toEqual(
      said.includes('lá') || said.includes('ao lado') ? [] : [{ code: 'missing.task' }],
    )
  })

  it('a context dialog answers what waits below it with the variables of that dialog [D-3.12.48] [R-30]', async () => {
    const release = releaseOf({
      main: { start, a: ask('text', 'x', 'b'), b: say('tenho {{x}}') },
      help: { start, a: { type: 'contextdialog', properties: { dialog: 'fill' }, to: 'b' }, b: say('pronto') },
      fill: { start, a: set('x', 'isto', 'b'), b: say('{{x}}') },
    })
    const mapping = {
      type: 'usermessage',
      of: ['ajuda'],
      level: 'bot',
      within: null,
      offOnPrompts: false,
      target: { action: 'calldialog', dialog: 'help' },
    } as const
    const chat = talk(release, settingsWith({ variables: [variable('x')], mappings: [mapping] }))
    expect(await chat.say(open)).toEqual(['x?'])
    expect(await chat.say('ajuda')).toEqual(['isto', 'pronto', 'tenho isto'])
  })

  it('jumps to its destination in the same dialog; ends it without one [D-3.12.26] [R-32]', async () => {
    const main = (destination: string) => ({
      start,
      a: set('x', 'aqui', 'b'),
      b: { type: 'gotonodesrc', properties: { destination } },
      c: say('pulado'),
      d: { type: 'gotonodedest', to: 'e' },
      e: say('{{x}}'),
    })
    const chat = talk(releaseOf({ main: main('d') }), scoped)
    expect(await chat.say(open)).toEqual(['aqui'])
    const lost = talk(releaseOf({ main: main('gone') }), scoped)
    expect(await lost.say(open)).toEqual([])
    expect(lost.last.problems).toEqual([{ code: 'missing.block' }])
  })
})

describe('schedule', () => {
  const planned = (properties: object) =>
    talk(
      releaseOf({
        main: {
          start,
          a: { type: 'schedule', properties: { task: 'other', ...properties } as never, to: 'b' },
          b: say('já'),
        },
        elsewhere: { start, a: say('lembrete') },
        side: { start, a: say('outro') },
      }),
      settingsWith({ tasks }),
    )

  test.each([
    ['minute', 5, 5 * 60_000],
    ['hour', 1, HOUR],
    ['day', 2, 48 * HOUR],
  ])(
    'runs its task after %s × %i and continues at once [D-3.12.21] [R-28]',
    async (scheduleUnit, scheduleQuantity, after) => {
      const chat = planned({ scheduleUnit, scheduleQuantity, dontExecuteIfInConversation: true })
      expect(await chat.say(open)).toEqual(['já'])
      expect(chat.state.schedules).toEqual([
        { id: 'a', at: NOW + after, task: 'other', dialog: null, skipWhenBusy: true },
      ])
      expect(await chat.say({ kind: 'schedule', id: 'a' }, NOW + after)).toEqual(['lembrete'])
      expect(chat.state.schedules).toEqual([])
    },
  )

  it('runs the dialog that is named; the same block plans once [D-3.12.21] [R-28]', async () => {
    const chat = planned({ taskdialog: 'side', scheduleUnit: 'hour', scheduleQuantity: 1 })
    await chat.say(open)
    await chat.say({ kind: 'menu', command: 'task', task: 'task' }, NOW + 1000)
    expect(chat.state.schedules.map(({ at }) => at)).toEqual([NOW + 1000 + HOUR])
    expect(await chat.say({ kind: 'schedule', id: 'a' })).toEqual(['outro'])
  })

  it('knows whether the dialog that it runs has a message with a template [P-2514]', async () => {
    const plan = async (template: string) => {
      const chat = talk(
        releaseOf({
          main: { start, a: { type: 'schedule', properties: { task: 'other' } } },
          elsewhere: { start, a: { type: 'sendmessage', properties: { text: 'Oi', template } } },
        }),
        settingsWith({ tasks }),
      )
      await chat.say(open)
      return chat.state.schedules[0]?.hasTemplate
    }
    expect([await plan('t1'), await plan('')]).toEqual([true, undefined])
  })

  it('plans nothing without a task and continues the flow [R-28]', async () => {
    const chat = planned({ task: '' })
    expect(await chat.say(open)).toEqual(['já'])
    expect([chat.state.schedules, chat.last.problems]).toEqual([[], [{ code: 'missing.task' }]])
  })
})

describe('goback', () => {
  it('asks the first question again where none was answered [D-3.12.47] [R-34]', async () => {
    const chat = talk(
      releaseOf({ main: { start, a: say('Olá', 'b'), b: ask('text', 'x', 'c'), c: { type: 'goback' } } }),
    )
    await chat.say(open)
    expect(await chat.say('um')).toEqual(['x?'])
    expect(await chat.say('dois')).toEqual(['x?'])
  })
})

it('a block of another maker leaves by its only linked output, else ends its dialog [R-47]', async () => {
  const other = (to: DialogSketch[string]['to']) => ({
    start,
    a: { type: 'their.block', ...(to === undefined ? {} : { to }) },
    b: say('b'),
    c: say('c'),
  })
  const one = talk(releaseOf({ main: other({ weiter: 'b' }) }))
  expect(await one.say(open)).toEqual(['b'])
  expect(one.last.problems).toEqual([{ code: 'block.unknown', at: 'their.block' }])
  expect(await talk(releaseOf({ main: other({ x: 'b', y: 'c' }) })).say(open)).toEqual([])
})

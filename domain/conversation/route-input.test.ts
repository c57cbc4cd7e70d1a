import { describe, expect, it, test } from 'vitest'
import { ask, NOW, open, releaseOf, say, settingsWith, start, talk } from './fixture/talk.ts'
import type { MappingSetting, TurnSettings } from './release.ts'
import { optOutTurn } from './run-turn.ts'

const release = releaseOf({
  main: { start, a: ask('text', 'nome', 'b'), b: say('Oi, {{nome}}') },
  price: { start, a: say('10 reais') },
  none: { start, a: say('Não entendi') },
})
const task = (id: string, principal: string, more: object = {}) =>
  [id, { id, name: id, principal, utterances: [], ...more }] as const
const tasks = new Map([
  task('task', 'main'),
  task('price', 'price', { utterances: ['quanto custa', 'preço'] }),
  task('none', 'none'),
])
const nlu = { ...settingsWith().nlu, enabled: true, intentConfidence: 0.6 }
const withTasks = (more: Partial<TurnSettings> = {}) => settingsWith({ tasks, fallbackTask: 'none', ...more })
const mapping = (more: Partial<MappingSetting>): MappingSetting => ({
  type: 'usermessage',
  of: ['preço'],
  level: 'bot',
  within: null,
  offOnPrompts: false,
  target: { action: 'calldialog', dialog: 'price' },
  ...more,
})
const meaning = (name: string, confidence = 0.9) => ({
  nlu: () => ({ ok: true as const, intents: [{ name, confidence }], entities: [] }),
})

describe('a new conversation', () => {
  it('begins the default task, opened without a word or with one that nobody knows [C-3.16] [R-16]', async () => {
    expect(await talk(release, withTasks()).say(open)).toEqual(['nome?'])
    const chat = talk(release, withTasks())
    expect(await chat.say('Bom dia')).toEqual(['nome?'])
    expect(chat.state.variables.nome).toBeUndefined()
    expect(chat.state.said.text).toBe('Bom dia')
  })

  it('goes where its first words lead [C-3.28] [R-15] [R-16]', async () => {
    expect(await talk(release, withTasks()).say('Quanto custa?')).toEqual(['10 reais'])
  })

  it('begins with the first input that reaches the bot: not with an opt-out or a file that failed [P-2227]', async () => {
    const chat = talk(release, withTasks({ fallbackTask: null }))
    const optOut = (reply?: string) =>
      optOutTurn({ release, settings: settingsWith(), now: NOW, seed: 1 }, chat.state, reply)
    chat.state = optOut('Você não recebe mais.').state
    chat.state = optOut().state
    const attachments = [{ name: 'foto.png', contentType: 'image/png', error: 'fetch' }]
    expect(await chat.say({ kind: 'attachment', attachments })).toEqual(['attachment.failed'])
    expect(await chat.say('Bom dia')).toEqual(['nome?'])
    await chat.say('Ana')
    expect(await chat.say('Bom dia')).toEqual(['conversation.notunderstood'])
  })
})

describe('no pending question', () => {
  it('starts the fallback task for unrecognized input [C-3.16] [R-15]', async () => {
    const chat = talk(release, withTasks())
    await chat.say(open)
    await chat.say('Ana')
    expect(await chat.say('xyz')).toEqual(['Não entendi'])
  })

  it('and without one the bot says that it did not understand [R-15]', async () => {
    const chat = talk(release, withTasks({ fallbackTask: null }))
    await chat.say(open)
    await chat.say('Ana')
    expect(await chat.say('xyz')).toEqual(['conversation.notunderstood'])
  })

  it("a task's utterances begin it, an intent of that name as well [C-3.28] [R-15]", async () => {
    const chat = talk(release, withTasks({ nlu }), meaning('preço'))
    expect(await chat.say('PREÇO!')).toEqual(['10 reais'])
    expect(await chat.say('me diz o valor')).toEqual(['10 reais'])
  })
})

describe('the brain of a bot', () => {
  const brain = { ...nlu, enabled: false, brain: true }
  const knowing = (intent: string | null, answers: readonly string[]) => ({
    brain: () => ({ ok: true as const, intent, confidence: 0.9, answers }),
  })

  it('answers what no task and no intent takes, and the first words as well, before the fallback [C-3.21] [R-15]', async () => {
    const chat = talk(release, withTasks({ nlu: brain }), knowing('horario', ['Das 9h às 17h']))
    expect(await chat.say('que horas abre?')).toEqual(['Das 9h às 17h'])
    expect(chat.state).toMatchObject({ status: 'idle', intent: { name: 'horario', confidence: 0.9 } })
    expect(await chat.say('preço')).toEqual(['10 reais'])
    expect(chat.effects.filter(({ kind }) => kind === 'brain')).toHaveLength(1)
  })

  test.each([
    ['does not know', knowing(null, [])],
    ['has no answer to', knowing('horario', [])],
    ['fails at', { brain: () => ({ ok: false as const, code: 'nomodel' }) }],
  ])('leaves to the fallback what it %s [R-15]', async (_title, outside) => {
    const chat = talk(release, withTasks({ nlu: brain }), outside)
    await chat.say('Bom dia')
    await chat.say('Ana')
    expect(await chat.say('que horas abre?')).toEqual(['Não entendi'])
  })

  it('is asked after the model, not while a question waits, and not where it is off [C-3.21] [R-15]', async () => {
    const both = { ...meaning('preço'), ...knowing('horario', ['Das 9h às 17h']) }
    const asked = talk(release, withTasks({ nlu: { ...brain, enabled: true } }), both)
    expect(await asked.say('me diz o valor')).toEqual(['10 reais'])
    const waiting = talk(release, withTasks({ nlu: brain }), both)
    await waiting.say(open)
    expect(await waiting.say('que horas abre?')).toEqual(['Oi, que horas abre?'])
    const off = talk(release, withTasks(), both)
    expect(await off.say('que horas abre?')).toEqual(['nome?'])
    expect([...asked.effects, ...waiting.effects, ...off.effects].filter(({ kind }) => kind === 'brain')).toEqual([])
  })
})

describe('a model', () => {
  test.each([
    ['is asked where it is switched on', { nlu }, 1],
    ['is not asked where it is off', {}, 0],
  ])('%s [C-3.21] [R-17]', async (_title, more, asked) => {
    const chat = talk(release, withTasks(more), meaning('nada', 0.1))
    await chat.say(open)
    await chat.say('Ana')
    expect(chat.effects.filter(({ kind }) => kind === 'nlu')).toHaveLength(asked)
  })

  it('is not asked while a question waits, where the bot says so [C-3.20] [R-17]', async () => {
    const chat = talk(release, withTasks({ nlu: { ...nlu, offOnPrompts: true } }), meaning('preço'))
    await chat.say(open)
    expect(await chat.say('Ana')).toEqual(['Oi, Ana'])
    expect(chat.effects.filter(({ kind }) => kind === 'nlu')).toHaveLength(0)
  })

  test.each([
    [0.61, ['10 reais', 'nome?']],
    [0.59, ['Oi, quanto é']],
  ])('counts from the confidence that the bot wants: %d [C-3.19] [R-17]', async (confidence, said) => {
    const chat = talk(release, withTasks({ nlu }), meaning('preço', confidence))
    await chat.say(open)
    expect(await chat.say('quanto é')).toEqual(said)
  })

  it('an entity below its confidence is ignored [C-3.19] [R-17]', async () => {
    const found = (confidence: number) => ({
      nlu: () => ({ ok: true as const, intents: [], entities: [{ name: 'cidade', value: 'Recife', confidence }] }),
    })
    const heard = async (confidence: number) => {
      const chat = talk(release, withTasks({ nlu: { ...nlu, entityConfidence: 0.5 } }), found(confidence))
      await chat.say('Recife')
      return chat.state.entities
    }
    expect(await heard(0.6)).toEqual({ cidade: 'Recife' })
    expect(await heard(0.4)).toEqual({})
  })

  it('that fails is as if nothing was recognized, with a problem [C-3.19] [R-17]', async () => {
    const chat = talk(release, withTasks({ nlu }), { nlu: () => ({ ok: false, code: 'timeout' }) })
    await chat.say(open)
    expect(await chat.say('Ana')).toEqual(['Oi, Ana'])
    expect(chat.last.problems).toEqual([{ code: 'nlu.failed', at: 'timeout' }])
  })

  test.each([
    [true, ['10 reais']],
    [false, ['Não entendi']],
  ])(
    'words that are nearly those of a task match where that is switched on: %s [C-3.20] [R-21]',
    async (fuzzy, said) => {
      const chat = talk(release, withTasks({ nlu: { ...settingsWith().nlu, fuzzy } }))
      await chat.say(open)
      await chat.say('Ana')
      expect(await chat.say('quanto cussta')).toEqual(said)
    },
  )
})

describe('a mapping', () => {
  test.each<[string, Partial<MappingSetting>, string[]]>([
    ['calls a task', { target: { action: 'calltask', task: 'price' } }, ['10 reais', 'nome?']],
    ['calls a dialog', { target: { action: 'calldialog', dialog: 'price' } }, ['10 reais', 'nome?']],
    [
      'sends one of its responses',
      { target: { action: 'randomresponses', responses: ['Dez'] } } as never,
      ['Dez', 'nome?'],
    ],
    ['of its own task only', { level: 'task', within: 'price' }, ['Oi, preço']],
    ['of its own dialog', { level: 'dialog', within: 'main' }, ['10 reais', 'nome?']],
    ['that is off while a question waits', { offOnPrompts: true }, ['Oi, preço']],
  ])('of the very words %s [C-3.60] [R-15] [R-18]', async (_title, more, said) => {
    const chat = talk(release, withTasks({ mappings: [mapping(more)] }))
    await chat.say(open)
    expect(await chat.say('preço')).toEqual(said)
  })

  it('calls a handler, and the question is asked again [C-3.60] [R-18]', async () => {
    const chat = talk(
      { ...release, handlers: new Map([['h1', { id: 'h1', source: 'return 1', slow: false }]]) } as never,
      withTasks({ mappings: [mapping({ target: { action: 'callhandler', handler: 'h1' } })] }),
      { script: () => ({ ok: true, value: 1 }) },
    )
    await chat.say(open)
    expect(await chat.say('preço')).toEqual(['nome?'])
    expect(chat.effects.some(({ kind }) => kind === 'script')).toBe(true)
  })

  it('of an intent, at the innermost level [C-3.60] [R-15]', async () => {
    const mappings = [
      mapping({ type: 'intent' }),
      mapping({ type: 'intent', level: 'dialog', within: 'main', target: { action: 'calldialog', dialog: 'none' } }),
    ]
    const chat = talk(release, withTasks({ nlu, mappings }), meaning('preço'))
    await chat.say(open)
    expect(await chat.say('quanto é')).toEqual(['Não entendi', 'nome?'])
  })

  it('of what a channel sends along when a chat is opened [C-3.60] [R-15]', async () => {
    const chat = talk(release, withTasks({ mappings: [mapping({ type: 'channelpayload', of: ['promo-7'] })] }))
    expect(await chat.say({ kind: 'open', payload: 'promo-7' })).toEqual(['10 reais'])
  })

  it('of the payload of a button that came with its words, also while a question waits [R-15] [P-1757]', async () => {
    const chat = talk(release, withTasks({ mappings: [mapping({ type: 'channelpayload', of: ['promo-7'] })] }))
    await chat.say(open)
    expect((await chat.say({ kind: 'text', text: 'Quero', payload: 'promo-7' })).at(0)).toBe('10 reais')
  })

  it('keeps a question that waits when a link opens the chat again [P-1754]', async () => {
    const chat = talk(release, withTasks())
    await chat.say(open)
    const before = chat.state.frames.at(-1)?.wait?.tries
    expect(await chat.say({ kind: 'open', payload: 'promo-8' })).toEqual(['nome?'])
    expect(chat.state.frames.at(-1)?.wait?.tries).toBe(before)
  })

  it('says that a file was not received, without a try of the question [P-1758]', async () => {
    const chat = talk(release, withTasks())
    await chat.say(open)
    const attachments = [{ name: 'foto.png', contentType: 'image/png', error: 'fetch' }]
    expect(await chat.say({ kind: 'attachment', attachments })).toEqual(['attachment.failed', 'nome?'])
  })
})

describe('the menu of a chat', () => {
  it('restarts, starts a task, or requests an agent [C-3.28] [R-15]', async () => {
    const chat = talk(release, withTasks())
    await chat.say(open)
    expect(await chat.say({ kind: 'menu', command: 'task', task: 'price' })).toEqual(['10 reais'])
    expect(await chat.say({ kind: 'menu', command: 'restart' })).toEqual(['nome?'])
    expect(await chat.say({ kind: 'menu', command: 'agent' })).toEqual(['agent.unavailable'])
  })
})

describe('time without an answer', () => {
  it('brings a reminder, and then the end [C-9.10] [R-71]', async () => {
    const chat = talk(release, withTasks({ userTimeout: 1000, endTimeout: 5000 }))
    await chat.say(open)
    const wait = chat.state.frames[0]?.wait
    expect([(wait?.remindAt ?? 0) - (wait?.since ?? 0), (wait?.endAt ?? 0) - (wait?.since ?? 0)]).toEqual([1000, 5000])
    expect(await chat.say({ kind: 'reminder' })).toEqual(['conversation.stillthere'])
    expect(await chat.say({ kind: 'timeout' })).toEqual(['conversation.ended'])
    expect(chat.state.status).toBe('ended')
  })

  it('is not counted where it is zero [C-9.10] [R-71]', async () => {
    const chat = talk(release, withTasks({ userTimeout: 0, endTimeout: 0 }))
    await chat.say(open)
    expect(chat.state.frames[0]?.wait).not.toHaveProperty('remindAt')
    expect(chat.state.frames[0]?.wait).not.toHaveProperty('endAt')
  })
})

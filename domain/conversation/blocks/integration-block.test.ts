import { describe, expect, it, test } from 'vitest'
import { ask, type DialogSketch, NOW, open, releaseOf, say, settingsWith, start, talk } from '../fixture/talk.ts'
import { TURN_LIMITS } from '../limits.ts'

const main = (b: DialogSketch[string], rest: DialogSketch = {}) =>
  releaseOf({ main: { start, a: ask('text', 'nome', 'b'), b, ...rest } })
const fault = { ok: false, code: 'timeout' } as const

describe('handler', () => {
  const block = (properties: object): DialogSketch[string] => ({
    type: 'handler',
    properties: { handlerparameters: ['nome', 'nunca'], resultVariable: 'r', errorVariable: 'e', ...properties },
    to: 'c',
  })
  const rest = { c: say('{{r}}|{{e.message}}|{{handler.error.message}}') }

  it('runs its script with its parameters and keeps the result [D-3.12.35] [R-44]', async () => {
    const chat = talk(main(block({ quickscript: true, js: 'return 1' }), rest), settingsWith(), {
      script: ({ parameters }) => ({ ok: true, value: `${parameters.length} ${parameters[0]} ${parameters[1]}` }),
    })
    await chat.say(open)
    expect(await chat.say('Ana')).toEqual(['2 Ana null||'])
    expect(chat.effects.at(-2)).toMatchObject({ kind: 'script', source: 'return 1', slow: false })
  })

  it('runs the published script of the handler that it names, which may take longer [D-3.12.35] [R-44]', async () => {
    const release = {
      ...main(block({ name: 'h1' }), rest),
      handlers: new Map([['h1', { id: 'h1', source: 'return 2', slow: true }]]),
    }
    const chat = talk(release as never, settingsWith(), { script: () => ({ ok: true, value: 2 }) })
    await chat.say(open)
    expect(await chat.say('Ana')).toEqual(['2||'])
    expect(chat.effects.find(({ kind }) => kind === 'script')).toMatchObject({ source: 'return 2', slow: true })
  })

  it('ends the turn as busy, and says so, when its scripts have waited for 10 s in all [P-1612]', async () => {
    const chat = talk(main(block({ quickscript: true, js: 'return 1' }), rest), settingsWith(), {
      script: () => ({ ok: true, value: 1, waited: 10_000 }),
    })
    await chat.say(open)
    expect(await chat.say('Ana')).toEqual(['conversation.busy'])
    expect(chat.last.failed).toMatchObject({ limit: 'busy', block: 'b' })
  })

  test.each([
    ['that throws', { quickscript: true, js: 'throw 1' }, 'Deu errado'],
    ['that is missing', { name: 'gone' }, 'There is no script to run'],
  ])(
    'stores the error of a script %s in its variable and continues [D-3.12.35] [R-44]',
    async (_title, properties, message) => {
      const chat = talk(main(block(properties), rest), settingsWith(), {
        script: () => ({ ok: false, message: 'Deu errado' }),
      })
      await chat.say(open)
      expect(await chat.say('Ana')).toEqual([`|${message}|${message}`])
      expect(chat.last.problems).toEqual([{ code: 'handler.failed' }])
    },
  )
})

describe('restservice', () => {
  const call = {
    type: 'restservice',
    properties: { methodType: 'post', url: 'https://x.example/', resultVariable: 'r', errorVariable: 'e' },
    to: { output_1: 'c', output_error: 'd' },
  }
  const release = main(call, { c: say('{{r.id}}'), d: say('{{e.code}} {{e.status}} {{e.body.why}}') })

  it('stores the response and leaves by its output; the call has a unique key [D-3.12.37] [R-45] [R-66]', async () => {
    const chat = talk(release, settingsWith(), { rest: () => ({ ok: true, status: 201, body: { id: 7 } }) })
    await chat.say(open)
    expect(await chat.say('Ana')).toEqual(['7'])
    const asked = chat.effects.find(({ kind }) => kind === 'rest')
    expect(asked).toMatchObject({ changes: true, properties: call.properties, context: { nome: 'Ana' } })
    expect(asked?.kind === 'rest' && asked.key).toMatch(/^c1\.2\./u)
  })

  it('keeps why there is none and leaves by the other [D-3.12.37] [R-45]', async () => {
    const error = { code: 'http', message: 'Conflict', status: 409, body: { why: 'taken' } }
    const chat = talk(release, settingsWith(), { rest: () => ({ ok: false, error }) })
    await chat.say(open)
    expect(await chat.say('Ana')).toEqual(['http 409 taken'])
  })

  it('leaves by the other where the answer does not fit beside the other variables [D-3.12.37] [R-45]', async () => {
    const body = 'x'.repeat(TURN_LIMITS.variable - 2)
    const twice = main(
      { ...call, to: { output_1: 'again', output_error: 'd' } },
      {
        again: { ...call, properties: { ...call.properties, resultVariable: 's' } },
        c: say('ok'),
        d: say('{{e.code}} {{e.status}}'),
      },
    )
    const chat = talk(twice, settingsWith(), { rest: () => ({ ok: true, status: 200, body }) })
    await chat.say(open)
    expect(await chat.say('Ana')).toEqual(['size 200'])
  })
})

describe('rssfeed', () => {
  const feed = (rssItems: readonly string[]): DialogSketch[string] => ({
    type: 'rssfeed',
    properties: { url: 'https://x.example/feed', rssItems },
    to: 'c',
  })
  const items = [{ title: 'Novo', description: 'Texto', link: 'https://x.example/1', image: 'https://x.example/1.png' }]

  test.each([
    [['Description', 'Link', 'Image'], { text: 'Texto', image: 'https://x.example/1.png' }, 1],
    [['Link'], { text: '', image: '' }, 1],
    [[], { text: '', image: '' }, 0],
  ])('sends the items with the chosen parts: %j [D-3.12.45] [R-46]', async (parts, shown, links) => {
    const chat = talk(main(feed(parts), { c: say('fim') }), settingsWith(), { feed: () => ({ ok: true, items }) })
    await chat.say(open)
    await chat.say('Ana')
    const content = chat.last.said[0]?.content
    const [card] = content?.type === 'carousel' ? content.cards : []
    expect(card).toMatchObject({ title: 'Novo', ...shown })
    expect(card?.actions).toHaveLength(links)
  })

  test('names a card without a title by its description or address, and sends no card without any of them', async () => {
    const link = 'https://x.example/1'
    const untitled = [
      { title: '', description: 'Chegou', link, image: '' },
      { title: '', description: 'palavra '.repeat(30).trim(), link, image: '' },
      { title: '', description: '', link, image: '' },
      { title: '', description: '', link: '', image: '' },
    ]
    const parts = feed(['Description', 'Link'])
    const chat = talk(main(parts, { c: say('fim') }), settingsWith(), { feed: () => ({ ok: true, items: untitled }) })
    await chat.say(open)
    await chat.say('Ana')
    expect(chat.last.said[0]?.content).toMatchObject({
      type: 'carousel',
      cards: [
        { title: 'Chegou', text: '' },
        { title: `${'palavra '.repeat(9)}palavra…`, text: 'palavra '.repeat(30).trim() },
        { title: link, text: '' },
      ],
    })
    expect(chat.last.said[0]?.content).toHaveProperty('cards.length', 3)
  })

  test.each([
    ['failed', fault, 'timeout'],
    ['is empty', { ok: true, items: [] } as const, 'empty'],
  ])('sends nothing when the feed %s, and continues with a problem [D-3.12.45] [R-46]', async (_title, answer, at) => {
    const chat = talk(main(feed(['Link']), { c: say('fim') }), settingsWith(), { feed: () => answer })
    await chat.say(open)
    expect(await chat.say('Ana')).toEqual(['fim'])
    expect(chat.last.problems).toEqual([{ code: 'feed.failed', at }])
  })
})

describe('connecttoagent', () => {
  const block = (more: object = {}): DialogSketch[string] => ({
    type: 'connecttoagent',
    properties: {
      agentSystem: 'rocketchat',
      queue: 'fila-{{nome}}',
      contactId: 'k1',
      customFields: [{ name: 'cliente', value: '{{nome}}' }],
      transcript: true,
      ...more,
    } as never,
    to: 'c',
  })
  const rest = { c: say('{{agent.status}}') }
  const there = { agent: () => ({ ok: true }) } as const

  it('transfers the chat and continues when the agent left [D-3.12.39] [R-48]', async () => {
    const chat = talk(main(block(), rest), settingsWith({ agentEnabled: true }), there)
    await chat.say(open)
    expect(await chat.say('Ana')).toEqual([])
    expect(chat.state.status).toBe('agent')
    expect(chat.effects.at(-1)).toMatchObject({
      kind: 'agent',
      system: 'rocketchat',
      queue: 'fila-Ana',
      fields: { contactId: 'k1', cliente: 'Ana' },
      transcript: true,
    })
    expect(await chat.say('para o agente')).toEqual([])
    expect(await chat.say({ kind: 'agentleft', reason: 'closed' })).toEqual(['closed'])
    expect(chat.state.status).toBe('idle')
  })

  it('runs the return task first, then continues the block [C-3.17] [R-48]', async () => {
    const tasks = new Map(
      ['task', 'back'].map(id => [id, { id, name: id, principal: id === 'task' ? 'main' : 'again', utterances: [] }]),
    )
    const settings = settingsWith({ agentEnabled: true, tasks, afterAgentTask: 'back' })
    const release = releaseOf({
      main: { start, a: block(), c: say('depois') },
      again: { start, a: say('Bem-vindo de volta') },
    })
    const chat = talk(release, settings, there)
    await chat.say(open)
    expect(await chat.say({ kind: 'agentleft', reason: 'closed' })).toEqual(['Bem-vindo de volta', 'depois'])
  })

  it('asks first when it has a text for it: no continues [R-48]', async () => {
    const chat = talk(main(block({ confirmation: 'Chamo alguém?' }), rest), settingsWith({ agentEnabled: true }), there)
    await chat.say(open)
    expect(await chat.say('Ana')).toEqual(['Chamo alguém?'])
    expect(await chat.say('talvez')).toEqual(['prompt.invalid.confirm', 'Chamo alguém?'])
    expect(await chat.say('não')).toEqual(['declined'])
    const yes = talk(main(block({ confirmation: 'Chamo alguém?' }), rest), settingsWith({ agentEnabled: true }), there)
    await yes.say(open)
    await yes.say('Ana')
    await yes.say('sim')
    expect(yes.state.status).toBe('agent')
  })

  test.each([
    ['the bot has none', settingsWith(), {}],
    ['nobody takes it', settingsWith({ agentEnabled: true }), { agent: () => fault }],
  ] as const)('says so and goes on where %s [R-48]', async (_title, settings, outside) => {
    const chat = talk(main(block(), rest), settings, outside)
    await chat.say(open)
    expect(await chat.say('Ana')).toEqual(['agent.unavailable', 'unavailable'])
  })
})

describe('talktomlsystem', () => {
  const answer = {
    ok: true,
    texts: ['Olá'],
    intents: [{ name: 'saudar', confidence: 0.8 }],
    entities: [{ name: 'quem', value: 'Ana', confidence: 0.9 }],
    payload: { raw: 1 },
  } as const
  const block = (properties: object): DialogSketch[string] => ({
    type: 'talktomlsystem',
    properties: { mlSystem: 'm1', ...properties },
    to: 'c',
  })

  it('sends the last words and says what comes back [D-3.12.40] [R-49]', async () => {
    const chat = talk(main(block({}), { c: say('fim') }), settingsWith(), { ml: () => answer })
    await chat.say(open)
    expect(await chat.say('oi')).toEqual(['Olá', 'fim'])
    expect(chat.effects.find(({ kind }) => kind === 'ml')).toMatchObject({ system: 'm1', text: 'oi' })
  })

  it('keeps the whole answer in a variable, and null with a problem where there is none [D-3.12.40] [R-49]', async () => {
    const flow = main(block({ input: 'Sou {{nome}}', resultVariable: 'r' }), {
      c: say('{{r.intent}} {{r.entities[0].value}}'),
    })
    const chat = talk(flow, settingsWith(), { ml: () => answer })
    await chat.say(open)
    expect(await chat.say('Ana')).toEqual(['saudar Ana'])
    expect(chat.state.variables.r).toMatchObject({ text: ['Olá'], confidence: 0.8, payload: { raw: 1 } })
    const lost = talk(flow, settingsWith(), { ml: () => fault })
    await lost.say(open)
    expect(await lost.say('Ana')).toEqual([])
    expect(lost.state.variables.r).toBeNull()
    expect(lost.last.problems).toContainEqual({ code: 'ml.failed', at: 'timeout' })
  })
})

describe('options of an ML system', () => {
  const offer = {
    ok: true,
    texts: [
      { text: 'Mais algo?', options: [{ title: 'Não', value: '/end' }] },
      {
        text: 'Confirma?',
        options: [
          { title: 'Sim', value: '/affirm' },
          { title: 'Ver no site', value: 'https://a.example', url: 'https://a.example' },
          { title: 'Outro dia', value: '/later{"days":1}' },
        ],
      },
    ],
    intents: [],
    entities: [],
    payload: null,
  } as const
  const plain = { ...offer, texts: ['Certo'] } as const
  /** Asks the system, waits for words, and asks it again with them. */
  const round = (properties: object = {}) => {
    const system = (to: string, more: object = {}): DialogSketch[string] => ({
      type: 'talktomlsystem',
      properties: { mlSystem: 'rasa', ...properties, ...more } as never,
      to,
    })
    return releaseOf({
      main: {
        start,
        a: system('w', { input: 'oi' }),
        w: { type: 'prompt', properties: { varname: 'dito', data: { type: 'text', text: '' } } as never, to: 'b' },
        b: system('w', { input: '{{dito}}' }),
      },
    })
  }
  const talked = async (properties?: object, answers: readonly object[] = [offer, plain]) => {
    let asked = 0
    const chat = talk(round(properties), settingsWith(), {
      ml: () => (answers[Math.min(asked++, answers.length - 1)] ?? plain) as typeof plain,
    })
    await chat.say(open)
    return chat
  }
  const sent = ({ effects }: Awaited<ReturnType<typeof talked>>) =>
    effects.flatMap(effect => (effect.kind === 'ml' ? [{ text: effect.text, chosen: effect.chosen }] : [])).at(-1)

  it('are buttons below its text, whose press sends the value behind the title [P-2029]', async () => {
    const chat = await talked()
    expect(
      chat.last.said.map(({ content, actions }) => [content, actions.map(({ type, title }) => [type, title])]),
    ).toEqual([
      [{ type: 'text', text: 'Mais algo?' }, [['reply', 'Não']]],
      [
        { type: 'text', text: 'Confirma?' },
        [
          ['reply', 'Sim'],
          ['openUrl', 'Ver no site'],
          ['reply', 'Outro dia'],
        ],
      ],
    ])
    await chat.press('Outro dia')
    expect(sent(chat)).toEqual({ text: 'Outro dia', chosen: '/later{"days":1}' })
    expect(chat.state.frames.at(-1)?.locals.dito ?? chat.state.variables.dito).toBe('Outro dia')
  })

  it.each([
    ['a title', 'outro dia', '/later{"days":1}'],
    ['a title of an earlier message', 'nao', '/end'],
    ['the number of a line', '2', '/later{"days":1}'],
    ['its value', '/affirm', '/affirm'],
    ['other words', 'quero falar com alguém', undefined],
    ['a number without a line', '3', undefined],
  ])('are named by %s as well [P-2029]', async (_title, text, chosen) => {
    const chat = await talked()
    await chat.say(text)
    expect(sent(chat)).toEqual({ text, chosen })
  })

  it('are of the newest answer, and a number of the first words after it [P-2029]', async () => {
    const late = await talked({}, [offer, offer, plain])
    await late.say('Sim')
    await late.say('1')
    expect(sent(late)).toEqual({ text: '1', chosen: '/affirm' })
    // The last answer offered nothing.
    await late.say('Sim')
    expect(sent(late)).toEqual({ text: 'Sim', chosen: undefined })
    // A button of an older message keeps its value.
    const older = await talked()
    const [, message] = older.last.said
    const action = message?.actions.find(({ title }) => title === 'Sim')
    if (message === undefined || action === undefined) throw new Error('no button')
    await older.say('outra coisa')
    await older.say({ kind: 'choice', message: message.id, action })
    expect(sent(older)).toEqual({ text: 'Sim', chosen: '/affirm' })
    const skipped = talk(
      releaseOf({
        main: {
          start,
          a: { type: 'talktomlsystem', properties: { mlSystem: 'rasa', input: 'oi' }, to: 'q' },
          q: ask('text', 'um', 'r'),
          r: ask('text', 'dois', 'b'),
          b: { type: 'talktomlsystem', properties: { mlSystem: 'rasa', input: '{{dois}}' } },
        },
      }),
      settingsWith(),
      { ml: () => offer },
    )
    await skipped.say(open)
    await skipped.say('2')
    await skipped.say('2')
    expect(sent(skipped)).toEqual({ text: '2', chosen: undefined })
  })

  it('are in the variable of the answer, as lines and with their values [P-2029]', async () => {
    const chat = await talked({ resultVariable: 'r' })
    expect(chat.state.variables.r).toMatchObject({
      text: ['Mais algo?\n- Não', 'Confirma?\n- Sim\n- Ver no site: https://a.example\n- Outro dia'],
      messages: [{ text: 'Mais algo?', options: [{ title: 'Não', value: '/end' }] }, { text: 'Confirma?' }],
    })
    await chat.say('Outro dia')
    expect(sent(chat)?.chosen).toBe('/later{"days":1}')
  })

  it('are of that system alone [P-2029]', async () => {
    const chat = await talked()
    chat.state = { ...chat.state, choices: { ...chat.state.choices, system: 'watson' } as never }
    await chat.say('Sim')
    expect(sent(chat)).toEqual({ text: 'Sim', chosen: undefined })
  })
})

describe('an output for errors', () => {
  const failing = {
    talktomlsystem: { ml: () => fault },
    talktoanotherbot: { bot: () => fault },
    rssfeed: { feed: () => fault },
  } as const

  it.each(Object.entries(failing))('of %s leads on where it is linked [P-2061]', async (type, outside) => {
    const block = (to: Readonly<Record<string, string>>): DialogSketch[string] => ({
      type,
      properties: { bot: 'b2', mlSystem: 'rasa', input: 'oi', url: 'https://a.example' } as never,
      to,
    })
    const ends = { c: say('certo'), d: say('falhou') }
    const chat = talk(
      releaseOf({ main: { start, a: block({ output_1: 'c', output_error: 'd' }), ...ends } }),
      settingsWith(),
      outside,
    )
    expect(await chat.say(open)).toEqual(['falhou'])
    const old = talk(releaseOf({ main: { start, a: block({ output_1: 'c' }), ...ends } }), settingsWith(), outside)
    expect(await old.say(open)).toEqual(['certo'])
    for (const { last } of [chat, old]) expect(last.problems).not.toEqual([])
  })

  it('is taken with the reason in a variable [P-2061]', async () => {
    const properties = { mlSystem: 'rasa', input: 'oi', errorVariable: 'e' }
    const a: DialogSketch[string] = { type: 'talktomlsystem', properties, to: { output_error: 'd' } }
    const chat = talk(releaseOf({ main: { start, a, d: say('{{e.code}}') } }), settingsWith(), { ml: () => fault })
    expect(await chat.say(open)).toEqual(['timeout'])
  })
})

describe('talktoanotherbot', () => {
  const block: DialogSketch[string] = { type: 'talktoanotherbot', properties: { bot: 'b2' }, to: 'c' }

  it('passes words on until the other bot waits for none [D-3.12.41] [R-50]', async () => {
    const chat = talk(main(block, { c: say('fim') }), settingsWith(), {
      bot: ({ text }) => ({ ok: true, texts: [`outro: ${text}`], waits: text !== 'tchau' }),
    })
    await chat.say(open, NOW)
    expect(await chat.say('oi')).toEqual(['outro: oi'])
    expect(await chat.say('e aí')).toEqual(['outro: e aí'])
    expect(await chat.say('tchau')).toEqual(['outro: tchau', 'fim'])
  })

  it('masks what the other bot masks, offers what it offers, and hands on a press on it [P-1506] [R-85]', async () => {
    const offered = [{ id: '1', type: 'reply', title: 'Sul', value: 's' }] as const
    const content = { type: 'text', text: 'Senha?' } as const
    const asked: unknown[] = []
    const chat = talk(main(block, { c: say('fim') }), settingsWith(), {
      bot: ({ input, of, visit }) => {
        asked.push({ input, of, visit })
        const messages = [{ id: 7, content, actions: offered }]
        return { ok: true, texts: [], messages, waits: asked.length < 3, masked: true }
      },
    })
    await chat.say(open, NOW)
    expect(await chat.say('oi')).toEqual(['Senha?'])
    expect(chat.state.frames.at(-1)?.wait).toMatchObject({ kind: 'bot', masked: true, offered })
    await chat.say('s3nha')
    expect(JSON.stringify(chat.state)).not.toContain('s3nha')
    const pressed = { kind: 'choice', message: 3, action: offered[0] } as const
    await chat.say(pressed)
    const { visit } = asked[0] as { visit: string }
    expect(asked.slice(1)).toEqual([
      { input: { kind: 'text', text: 's3nha' }, of: 7, visit },
      { input: pressed, of: 7, visit },
    ])
  })

  it('hands on a press of each message of the other bot as one of that message [R-50] [P-1720]', async () => {
    const offered = [{ id: '1', type: 'reply', title: 'Sul', value: 's' }] as const
    const asked: unknown[] = []
    const chat = talk(main(block, { c: say('fim') }), settingsWith(), {
      bot: ({ of }) => {
        asked.push(of)
        const messages = [7, 8].map(id => ({ id, content: { type: 'text', text: 'Qual?' } as const, actions: offered }))
        return { ok: true, texts: [], messages, waits: asked.length === 1 }
      },
    })
    await chat.say(open, NOW)
    await chat.say('oi')
    await chat.press('Sul')
    expect(asked).toEqual([null, 7])
  })

  it('continues with a problem when the other bot fails [D-3.12.41] [R-50]', async () => {
    const chat = talk(main(block, { c: say('fim') }), settingsWith(), { bot: () => fault })
    await chat.say(open)
    expect(await chat.say('oi')).toEqual(['fim'])
    expect(chat.last.problems).toEqual([{ code: 'bot.failed', at: 'timeout' }])
  })
})

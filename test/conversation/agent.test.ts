import { afterEach, describe, expect, test } from 'vitest'
import { releaseOf, settingsWith, say as sketched } from '#domain/conversation/fixture/talk.ts'
import type { TurnSettings } from '#domain/conversation/release.ts'
import pt from '#schemas/locales/pt/conversation.json' with { type: 'json' }
import { MemoryAgents } from '#test/doubles/agent/memory-agents.ts'
import { ana, DIALOG, isBack, joined, pageOf, said, until } from './handed.ts'
import { begin, openWorld, say, talkOf, type World } from './world.ts'

let world: World
afterEach(() => world?.close())

const opened = async (agents = new MemoryAgents({ polls: true }), settings: Partial<TurnSettings> = {}) => {
  world = await openWorld(DIALOG, { agentEnabled: true, ...settings })
  const on = await world.node({ agents: agents.node() })
  const conversation = await begin(on)
  await say(on, conversation, 's3gredo')
  return { agents, on, conversation }
}
describe('a chat that is handed to an agent', () => {
  test('goes to the agent system and comes back: each message once, both ways [R-15] [R-48] [D-3.2.18] [P-1182] [P-2412]', async () => {
    const { agents, on, conversation } = await opened()
    await until(() => expect(agents.opened).toHaveLength(1))
    expect(agents.opened[0]).toMatchObject({
      conversation,
      queue: 'sac',
      person: { id: 'ana' },
      transcript: '10:00 Bot: Senha?\n10:00 Visitante: ••••••',
      webhook: 'http://bots.example',
    })
    expect((await pageOf(on, conversation)).agent).toEqual({ name: '', avatar: '', isWaiting: true })
    await say(on, conversation, 'alô?', 'm1')
    await say(on, conversation, 'alô?', 'm1')
    agents.tell(joined, said('Olá, sou a Ana'), said('Olá, sou a Ana'))
    await until(async () => expect((await pageOf(on, conversation)).agent).toEqual({ ...ana, isWaiting: false }))
    await say(on, conversation, 'meu pedido não chegou')
    await until(() => expect(agents.said.map(({ text: words }) => words)).toEqual(['alô?', 'meu pedido não chegou']))
    agents.tell(said('Já vi'), { kind: 'closed', id: 'c' })
    await isBack(on, conversation)
    const page = await pageOf(on, conversation)
    expect(page.messages.map(({ from, text: words }) => `${from}: ${words}`)).toEqual([
      'bot: Senha?',
      'user: ••••••',
      'user: alô?',
      'agent: Olá, sou a Ana',
      'user: meu pedido não chegou',
      'agent: Já vi',
      'bot: de volta: closed',
    ])
    expect(page.messages.find(({ from }) => from === 'agent')).toMatchObject(ana)
    expect(page.agent).toBeNull()
    await say(on, conversation, 'obrigada')
    expect(agents.said).toHaveLength(2)
  })

  test('says in texts of its channel where the person stands, each once [P-2355]', async () => {
    const messages = new Map(Object.entries(pt))
    const agents = new MemoryAgents({ polls: true, fields: { texts: [{ moment: 'transferred', text: '' }] } })
    world = await openWorld(DIALOG, { agentEnabled: true, messages })
    world.channelType = 'blip'
    const on = await world.node({ agents: agents.node() })
    const conversation = await begin(on)
    await say(on, conversation, 's3gredo')
    await until(() => expect(agents.opened).toHaveLength(1))
    agents.tell({ kind: 'queued', id: 'q1', position: 3 }, { kind: 'queued', id: 'q2', position: 2 })
    agents.tell(
      joined,
      joined,
      said('Olá'),
      { kind: 'transferred', id: 't' },
      { kind: 'joined', id: 'j2', agent: { ...ana, name: 'Bia' } },
    )
    agents.tell({ kind: 'closed', id: 'c' })
    await isBack(on, conversation)
    expect((await talkOf(on, conversation)).slice(2)).toEqual([
      'bot: Estou chamando um atendente. Você é o 3º da fila. Aguarde um momento.',
      'bot: Ana entrou na conversa.',
      'agent: Olá',
      'bot: Bia entrou na conversa.',
      'bot: Bia encerrou o atendimento.',
      'bot: de volta: closed',
    ])
  })

  test('logs once per answer that something in it could not be read [P-2407]', async () => {
    const logged: string[] = []
    const agents = new MemoryAgents({ polls: true })
    world = await openWorld(DIALOG, { agentEnabled: true })
    const botLog = {
      log: ({ level, code }: { readonly level: string; readonly code: string }) => void logged.push(`${level} ${code}`),
    }
    const on = await world.node({ agents: agents.node(), botLog })
    const conversation = await begin(on)
    await say(on, conversation, 's3gredo')
    await until(() => expect(agents.opened).toHaveLength(1))
    agents.tell({ kind: 'unread' })
    await until(() => expect(logged).toContain('warn agent.answer'))
    agents.tell({ kind: 'closed', id: 'c' })
    await isBack(on, conversation)
    expect(logged.filter(line => line === 'warn agent.answer')).toHaveLength(1)
  })

  test('says in a text of its channel that nobody comes [P-2355]', async () => {
    const texts = [{ moment: 'nobody', text: 'Ninguém agora, volte às 9h.' }]
    const agents = new MemoryAgents({ polls: true, fields: { texts, check_agent_availibility_retries: 1 } })
    agents.isThere = false
    const { on, conversation } = await opened(agents)
    await isBack(on, conversation)
    expect((await talkOf(on, conversation)).slice(2)).toEqual([
      'bot: Ninguém agora, volte às 9h.',
      'bot: de volta: unavailable',
    ])
  })

  test('is closed at the agent system when the person leaves it, restarts or ends the conversation [C-3.23] [P-1183]', async () => {
    const { agents, on, conversation } = await opened()
    await until(() => expect(agents.opened).toHaveLength(1))
    await on.accept(conversation, { id: 'back', type: 'menu', value: 'bot' })
    await isBack(on, conversation)
    await until(() => expect(agents.closed).toEqual([agents.opened[0]?.key]))
    expect((await talkOf(on, conversation)).at(-1)).toBe('bot: de volta: person')

    await on.accept(conversation, { id: 'ask', type: 'menu', value: 'agent' })
    await until(() => expect(agents.opened).toHaveLength(2))
    await on.end(conversation, 'person')
    await until(() => expect(agents.closed).toEqual(agents.opened.map(({ key }) => key)))
    expect(new Set(agents.closed).size).toBe(2)
  })

  test('called from the menu while a question waits, asks it again afterwards [C-3.23] [P-1184]', async () => {
    const agents = new MemoryAgents({ polls: true })
    world = await openWorld(DIALOG, { agentEnabled: true })
    const on = await world.node({ agents: agents.node() })
    const conversation = await begin(on)
    await on.accept(conversation, { id: 'ask', type: 'menu', value: 'agent' })
    await until(() => expect(agents.opened).toHaveLength(1))
    await say(on, conversation, 'não é senha')
    await until(() => expect(agents.said.map(({ text: words }) => words)).toEqual(['não é senha']))
    agents.tell(joined, { kind: 'closed', id: 'c' })
    await isBack(on, conversation)
    expect(await talkOf(on, conversation)).toEqual(['bot: Senha?', 'user: não é senha', 'bot: Senha?'])
  })

  test('is not given up when the person leaves while an agent has it, though a question of the bot waits below [R-92] [P-1820]', async () => {
    const agents = new MemoryAgents({ polls: true })
    world = await openWorld(DIALOG, { agentEnabled: true })
    const on = await world.node({ agents: agents.node() })
    const conversation = await begin(on)
    await on.accept(conversation, { id: 'ask', type: 'menu', value: 'agent' })
    await until(() => expect(agents.opened).toHaveLength(1))
    await until(() => expect(on.index.get(conversation)?.standing).toBe('agent'))
    await on.end(conversation, 'person')
    await until(() => expect(on.index.get(conversation)).toMatchObject({ reason: 'person', standing: 'ended' }))
    const filter = { bot: 'bot', dialog: 'main', releases: [1], from: '2026-01-01', to: '2027-12-31' }
    const counted = on.index.visits.counts(filter).map(({ what }) => what)
    expect(counted).toContain('abandoned')
    expect(counted).not.toContain('lost')
  })

  test('called from the menu while nothing runs, leaves the person with the bot again [C-3.23] [P-1184]', async () => {
    const { agents, on, conversation } = await opened()
    agents.tell({ kind: 'closed', id: 'c1' })
    await isBack(on, conversation)
    for (const [place, end] of (['agent', 'person'] as const).entries()) {
      await on.accept(conversation, { id: `ask ${end}`, type: 'menu', value: 'agent' })
      await until(() => expect(agents.opened).toHaveLength(place + 2))
      if (end === 'agent') agents.tell({ kind: 'closed', id: `c ${end}` })
      else await on.accept(conversation, { id: `back ${end}`, type: 'menu', value: 'bot' })
      await isBack(on, conversation)
      expect((await pageOf(on, conversation)).state).toBe('idle')
    }
  })

  test('runs the task for the return first [C-3.17] [C-3.61]', async () => {
    const tasks = new Map([
      ...settingsWith({}).tasks,
      ['t', { id: 't', name: 't', principal: 'again', utterances: [] }],
    ])
    const agents = new MemoryAgents({ polls: true })
    const release = releaseOf({
      main: DIALOG,
      again: { start: { type: 'start', to: 'hello' }, hello: sketched('Voltei') },
    })
    world = await openWorld(DIALOG, { agentEnabled: true, tasks, afterAgentTask: 't' }, release)
    const on = await world.node({ agents: agents.node() })
    const conversation = await begin(on)
    await say(on, conversation, 's3gredo')
    agents.tell(joined, { kind: 'closed', id: 'c' })
    await isBack(on, conversation)
    expect((await talkOf(on, conversation)).slice(-2)).toEqual(['bot: Voltei', 'bot: de volta: closed'])
  })

  test('ends when nobody comes, when the agent falls silent and when the person does [C-9.05] [C-9.06] [P-1185]', async () => {
    const { agents, on, conversation } = await opened()
    await until(() => expect(agents.opened).toHaveLength(1))
    world.now += 119_000
    await new Promise(resolve => setTimeout(resolve, 700))
    expect((await pageOf(on, conversation)).state).toBe('agent')
    world.now += 2_000
    await isBack(on, conversation)
    expect((await talkOf(on, conversation)).slice(-2)).toEqual(['bot: agent.unavailable', 'bot: de volta: timeout'])
    await until(() => expect(agents.closed).toHaveLength(1))
    for (const [who, reason, ms] of [
      ['agent', 'inactive', 121_000],
      ['person', 'user', 301_000],
    ] as const) {
      await on.accept(conversation, { id: `menu ${who}`, type: 'menu', value: 'restart' })
      await on.settled(conversation, 5_000)
      await say(on, conversation, 's3gredo')
      agents.tell({ ...joined, id: `j ${who}` })
      if (who === 'person') agents.tell(said('Pois não?'))
      await until(async () => expect((await pageOf(on, conversation)).agent?.isWaiting).toBe(false))
      if (who === 'person')
        await until(async () => expect((await talkOf(on, conversation)).at(-1)).toBe('agent: Pois não?'))
      world.now += ms
      await isBack(on, conversation)
      expect((await talkOf(on, conversation)).at(-1)).toBe(`bot: de volta: ${reason}`)
    }
  })

  test('asks for an agent at the interval, as often as retries say, and then says the message of the channel [D-3.2.05] [P-1186]', async () => {
    const agents = new MemoryAgents({
      fields: {
        check_agent_availibility_interval: 1000,
        check_agent_availibility_retries: 3,
        timed_out_message: 'Estamos fechados.',
      },
    })
    agents.isThere = false
    const { on, conversation } = await opened(agents)
    for (const asked of [1, 2, 3]) {
      await until(() => expect(agents.asked).toBe(asked))
      await new Promise(resolve => setTimeout(resolve, 600))
      expect(agents.asked).toBe(asked)
      world.now += 1000
    }
    await isBack(on, conversation)
    expect(agents.opened).toEqual([])
    expect((await talkOf(on, conversation)).slice(-2)).toEqual(['bot: Estamos fechados.', 'bot: de volta: unavailable'])
  })

  test('follows the messages that identify where it stands, and shows comments only where that is set [D-3.2.03]', async () => {
    const identifying = {
      message_to_identify_user_waiting: 'na fila',
      message_to_identify_agent_connected: 'entrou na conversa',
      message_to_identify_agent_transfered: 'transferida',
    }
    for (const isShown of [false, true]) {
      const agents = new MemoryAgents({ polls: true, fields: { ...identifying, send_agent_comment_to_user: isShown } })
      const { on, conversation } = await opened(agents)
      const system = (words: string) => agents.tell({ kind: 'message', id: words, from: 'system', text: words })
      const isWaiting = async () => (await pageOf(on, conversation)).agent?.isWaiting
      system('A Ana ENTROU na conversa')
      await until(async () => expect(await isWaiting()).toBe(false))
      system('Conversa transferida')
      await until(async () => expect(await isWaiting()).toBe(true))
      agents.tell(said('Oi'))
      await until(async () => expect(await isWaiting()).toBe(false))
      system('Você está na fila')
      await until(async () => expect(await isWaiting()).toBe(true))
      system('Só um comentário')
      await until(async () => expect(await talkOf(on, conversation)).toContain('agent: Oi'))
      await new Promise(resolve => setTimeout(resolve, 100))
      const shown = (await talkOf(on, conversation)).filter(line => line.startsWith('bot:')).slice(1)
      expect(shown).toEqual(
        isShown
          ? [
              'bot: A Ana ENTROU na conversa',
              'bot: Conversa transferida',
              'bot: Você está na fila',
              'bot: Só um comentário',
            ]
          : [],
      )
      await world.close()
    }
    world = await openWorld(DIALOG)
  })

  test('resends messages surely not accepted, and gives up on permanent errors [P-1187]', async () => {
    const { agents, on, conversation } = await opened()
    await until(() => expect(agents.opened).toHaveLength(1))
    agents.faults.push('outbound.unreachable', 'agent.failed')
    await say(on, conversation, 'um')
    await say(on, conversation, 'dois')
    await until(() => {
      world.now += 1000
      expect(agents.said.map(({ text: words }) => words)).toEqual(['um', 'dois'])
    })
    agents.faults.push('agent.unauthorized')
    await say(on, conversation, 'três')
    await isBack(on, conversation)
    expect((await talkOf(on, conversation)).slice(-2)).toEqual(['bot: agent.lost', 'bot: de volta: error'])
  })

  test('can be taken out of the queue by hand, and not while an agent is there [D-3.2.02] [P-1188]', async () => {
    const { agents, on, conversation } = await opened()
    await until(() => expect(agents.opened).toHaveLength(1))
    const desk = await on.agents()
    await until(() => expect(desk?.list('desk')).toMatchObject([{ conversation, channel: 'desk', waiting: world.now }]))
    const [waiting] = desk?.list('desk') ?? []
    if (waiting === undefined || desk === undefined) throw new Error('nobody waits')
    agents.tell(joined)
    await until(() => expect(desk.list('desk')).toMatchObject([{ waiting: null }]))
    expect(await desk.clear(waiting, {})).toBe(false)
    agents.tell({ kind: 'transferred', id: 't' })
    await until(() => expect(desk.list('desk')).toMatchObject([{ waiting: world.now }]))
    expect(await desk.clear(waiting, {})).toBe(true)
    await isBack(on, conversation)
    await until(() => expect(agents.closed).toHaveLength(1))
    expect(desk.list('desk')).toEqual([])
    expect((await talkOf(on, conversation)).at(-1)).toBe('bot: de volta: cleared')
  })

  test('that is given up while it is being opened is closed once it is open [P-1183]', async () => {
    const agents = new MemoryAgents({ polls: true })
    const isOpen = Promise.withResolvers<void>()
    agents.beforeOpened = () => isOpen.promise
    const { on, conversation } = await opened(agents)
    await until(() => expect(agents.opened).toHaveLength(1))
    await on.accept(conversation, { id: 'back', type: 'menu', value: 'bot' })
    await isBack(on, conversation)
    isOpen.resolve()
    await until(() => expect(agents.closed).toEqual([agents.opened[0]?.key]))
  })

  test('is taken out of the queue by its clock, once it waits for longer than the rules say [D-3.2.02] [P-1188]', async () => {
    const clock = {
      queue_tracker_enabled: true,
      queue_tracker_clear_enabled: true,
      queue_tracker_clear_by_cron: '*/10 * * * *',
      queue_tracker_config: { forgotten_after: 15 },
    }
    const { agents, on, conversation } = await opened(new MemoryAgents({ polls: true, fields: clock }))
    world.timeouts = { connect: 0, inactive: 0, user: 0 }
    await until(() => expect(agents.opened).toHaveLength(1))
    world.now += 11 * 60_000
    await new Promise(resolve => setTimeout(resolve, 3_000))
    expect((await pageOf(on, conversation)).state).toBe('agent')
    world.now += 10 * 60_000
    await isBack(on, conversation)
    expect((await talkOf(on, conversation)).at(-1)).toBe('bot: de volta: cleared')
  })
})

import { expect, test } from 'vitest'
import { link, plainBlock } from '#test/fixture/flow-parts.ts'
import { isFull } from '#test/fixture/full.ts'
import { openChat } from './open-chat.ts'
import { openAdmin } from './open-parley.ts'

/** Long enough for a start of another process meanwhile; a pattern without end takes all of it. */
const limits = isFull ? {} : { testMs: 6_000 }

const { parley, admin } = await openAdmin({ limits })

const made = (entity: string, fields: object) => admin.create(entity, fields)

test('stubs every external call of a kept conversation in its test [P-1053]', async () => {
  const bot = await made('bot', { name: 'Outro' })
  const {
    bot: outer,
    task: first,
    dialog: asking,
  } = await admin.createDialog({ name: 'Fora', agentenabled: true, nluenabled: true }, 'Fora', 'Pergunta')
  const drawn = await admin.put(`/dialog/${asking}/flow`, {
    format: 'parley-flow',
    version: 1,
    operators: {
      start: plainBlock('start', 0),
      ask: plainBlock('prompt', 90, { varname: 'nome', data: { type: 'text', text: 'Nome?' } }),
      chance: plainBlock('handler', 180, { quickscript: true, js: 'return Math.random()', resultVariable: 'sorte' }),
      news: plainBlock('rssfeed', 270, { url: 'http://127.0.0.1:9/feed' }),
      ml: plainBlock('talktomlsystem', 360, { mlSystem: 'rasa', input: 'Oi {{nome}}' }),
      other: plainBlock('talktoanotherbot', 450, { bot }),
      person: plainBlock('connecttoagent', 540, { agentSystem: 'genesys', queue: 'sac {{nome}}' }),
      told: plainBlock('text', 630, { text: 'Sorte: {{sorte}}' }),
    },
    links: {
      a: link('start', 'ask'),
      b: link('ask', 'chance'),
      c: link('chance', 'news'),
      d: link('news', 'ml'),
      e: link('ml', 'other'),
      f: link('other', 'person'),
      g: link('person', 'told'),
    },
  })
  expect(drawn.status).toBe(200)
  expect((await admin.post(`/dialog/${asking}/publish`, {})).status).toBe(200)
  await admin.patch(`/dialogtask/${first}`, { principaldialog: asking }, 1)
  await admin.patch(`/bot/${outer}`, { defaultdialogtask: first }, 1)
  const channel = await made('channel', { bot: outer, type: 'webchat' })
  expect((await admin.post(`/bot/${outer}/start`)).status).toBe(200)
  const conversation = await openChat(parley.origin, channel, ['Ana'])
  const { body } = await admin.post(`/conversation/${conversation}/test`, { name: 'Ana' })
  const file = String(body.file)
  for (const stub of ['handler: handler', 'feed: http', 'ml: Oi *', `bot: ${bot}`, 'agent: sac *', 'nlu: Ana'])
    expect(file).toContain(stub)
  const keep = async (kept: string) => {
    const answer = await admin.post('/conversationtest', { bot: outer, name: `n${kept.length}`, file: kept })
    expect(answer.status, answer.text).toBe(201)
    return (await admin.post(`/conversationtest/${answer.body.id}/run`, {})).body.result
  }
  expect(await keep(file)).toEqual(expect.objectContaining({ passed: true }))
  // Without the answers the calls fail it.
  const bare = file.replace(/^stubs:\n(?: .*\n)*/mu, '')
  expect(await keep(bare)).toEqual(expect.objectContaining({ passed: false, kind: 'call' }))
})

test('tests of one bot do not wait for those of another [P-1052]', async () => {
  const botWith = async (name: string, expected: object) => {
    const { bot, dialog } = await admin.createDialog({ name }, name, name)
    await admin.put(`/dialog/${dialog}/flow`, {
      operators: { start: plainBlock('start', 0), told: plainBlock('text', 90, { text: `${'a'.repeat(60)}!` }) },
      links: { a: link('start', 'told') },
    })
    const steps = [{ event: 'open' }, { bot: expected }]
    const file = JSON.stringify({ format: 'parley-test', version: 1, name, given: { dialog: name }, steps })
    const { status, text } = await admin.post('/conversationtest', { bot, name, file })
    expect(status, text).toBe(201)
    return bot
  }
  // It tries for longer than any computer lives.
  const endless = await botWith('Endless', { matches: '^(a+)+$' })
  const quick = await botWith('Quick', { contains: 'aaa' })
  const ended: string[] = []
  const run = async (name: string, bot: string) => {
    const { body } = await admin.post(`/bot/${bot}/tests`, {})
    ended.push(name)
    return body.outcomes as unknown as readonly { passed: boolean; kind?: string }[]
  }
  const [late, done] = await Promise.all([run('endless', endless), run('quick', quick)])
  expect(ended).toEqual(['quick', 'endless'])
  expect([late[0]?.kind, done[0]?.passed]).toEqual(['time', true])
}, 60_000)

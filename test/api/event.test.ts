import { describe, expect, test, vi } from 'vitest'
import { PUBLIC_KINDS, type PublicEvent, publicEventSchema } from '#schemas/public-event.ts'
import { makeChatBot } from './chat-bot.ts'
import type { Client } from './harness.ts'
import { openChat } from './open-chat.ts'
import { openAdmin } from './open-parley.ts'
import { level, PASSWORD, person } from './people.ts'

interface Page {
  readonly items: readonly PublicEvent[]
  readonly next: string
  readonly caughtup: boolean
}

interface Described {
  readonly paths: object
  readonly components: {
    readonly schemas: Readonly<
      Record<string, { readonly anyOf?: readonly { readonly $ref: string }[]; readonly examples?: readonly unknown[] }>
    >
  }
}

const ACTIONS = ['readevent', 'readbot', 'readglobalvariable', 'readconversation', 'readuser']
const CONFIRM = { confirm: 'CONFIRM' }

const { parley, admin } = await openAdmin()
let north: string
let south: string
let ana: Awaited<ReturnType<typeof person>>
let chat: Awaited<ReturnType<typeof makeChatBot>>
let conversation: string
let lead: string
/** Cursor before everything. */
let begin: string

const ask = async (who: Client, query = ''): Promise<Page> => {
  const { status, body, text } = await who.get(`/event?${query}`)
  if (status !== 200) throw new Error(text)
  return body as unknown as Page
}

/** Reads page by page until all was looked at. */
const readAll = async (
  who: Client,
  after: string,
  query = '',
  size: () => number = () => 1_000,
): Promise<readonly PublicEvent[]> => {
  const items: PublicEvent[] = []
  for (let cursor = after; ; ) {
    const page = await ask(who, `after=${cursor}&limit=${size()}&${query}`)
    items.push(...page.items)
    if (page.caughtup) return items
    cursor = page.next
  }
}

const kindsOf = (items: readonly PublicEvent[]) => items.map(({ type, data }) => `${type} ${data.entity}`)

const newUser = (username: string) =>
  admin.create('user', { username, password: PASSWORD, firstname: username, hierarchylevel: south })

const setUp = async (): Promise<void> => {
  north = await level(admin, 'Norte')
  south = await level(admin, 'Sul')
  ana = await person(parley, admin, { username: 'ana', level: north, actions: ACTIONS })
  begin = (await ask(admin)).next
  chat = await makeChatBot(admin, { name: 'Bia', hierarchylevel: north })
  conversation = await openChat(parley.origin, chat.channel, ['Ana'])
  lead = await admin.create('globalvariable', { name: 'limite', value: '5', hierarchylevel: south })
  await admin.patch(`/globalvariable/${lead}`, { value: '6' }, 1)
  await admin.delete(`/globalvariable/${lead}`)
  await admin.post(`/globalvariable/${lead}/restore`, { revision: 1 })
  await admin.create('dialogcomment', { dialog: chat.dialog, block: 'start', text: 'Olha' })
  await admin.post(`/dialog/${chat.dialog}/unpublish`)
  await admin.create('version', { bot: chat.bot, name: 'v1' })
  await admin.post(`/bot/${chat.bot}/stop`)
  // Its two services end after the answer.
  const ended = () => readAll(admin, begin, 'type=entity.changed&entity=botservice')
  await vi.waitFor(async () => expect(await ended()).toHaveLength(2), { timeout: 20_000 })
  await admin.post(`/user/${await newUser('rui')}/lock`)
}

await setUp()

describe('events in order', () => {
  test('lists events of the console and of conversations, each as its schema says [P-2671]', async () => {
    const items = await readAll(admin, begin)
    expect(kindsOf(items)).toEqual(
      expect.arrayContaining([
        'entity.created bot',
        'dialog.published dialog',
        'bot.started bot',
        'conversation.started conversation',
        'entity.created globalvariable',
        'entity.changed globalvariable',
        'entity.removed globalvariable',
        'entity.restored globalvariable',
        'comment.added dialogcomment',
        'dialog.unpublished dialog',
        'version.created version',
        'bot.stopped bot',
        'user.created user',
        'user.locked user',
      ]),
    )
    for (const item of items) expect(publicEventSchema.parse(item)).toEqual(item)
    const of = (entity: string) => items.filter(({ data }) => data.entity === entity)
    expect(of('globalvariable').map(({ type, data }) => [type, data.id, data.revision])).toEqual([
      ['entity.created', lead, 1],
      ['entity.changed', lead, 2],
      ['entity.removed', lead, 3],
      ['entity.restored', lead, 4],
    ])
    expect(of('globalvariable')[1]?.data).toMatchObject({
      hierarchylevel: south,
      changed: ['value'],
      actor: { kind: 'person' },
    })
    const [opened] = of('conversation')
    expect(opened?.data).toMatchObject({
      id: conversation,
      bot: chat.bot,
      hierarchylevel: north,
      channel: chat.channel,
      actor: { id: null, kind: 'system' },
    })
  })

  test('answers the filtered list for any sizes of pages, each event once [P-2672]', async () => {
    const all = await readAll(admin, begin)
    // A linear congruential generator: the same sizes in each run.
    let seed = 7
    const random = (most: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
      return 1 + (seed % most)
    }
    const filters = [
      { query: '', keeps: () => true },
      { query: 'type=bot.started,bot.stopped', keeps: ({ type }: PublicEvent) => type.startsWith('bot.') },
      { query: 'entity=globalvariable', keeps: ({ data }: PublicEvent) => data.entity === 'globalvariable' },
      {
        query: 'type=entity.created&entity=bot',
        keeps: ({ type, data }: PublicEvent) => type === 'entity.created' && data.entity === 'bot',
      },
      { query: 'type=nlu.trained', keeps: () => false },
    ]
    for (const { query, keeps } of filters) {
      const expected = all.filter(keeps).map(({ id }) => id)
      for (const most of [1, 3, 40]) {
        const items = await readAll(admin, begin, query, () => random(most))
        expect(items.map(({ id }) => id)).toEqual(expected)
      }
    }
    // The position of an event is a cursor behind it.
    const [middle] = all.slice(5)
    expect((await readAll(admin, String(middle?.position))).map(({ id }) => id)).toEqual(
      all.slice(6).map(({ id }) => id),
    )
  })

  test('begins now without a cursor, or at a time, and holds an answer back until something happens [P-2673]', async () => {
    const { items, next, caughtup } = await ask(admin)
    expect({ items, caughtup }).toEqual({ items: [], caughtup: true })
    const from = new Date().toISOString()
    const held = ask(admin, `after=${next}&wait=30&type=entity.created`)
    const asked = Date.now()
    const id = await admin.create('globalvariable', { name: 'esperado', value: '1' })
    expect((await held).items.map(({ data }) => data.id)).toEqual([id])
    expect(Date.now() - asked).toBeLessThan(10_000)
    expect((await readAll(admin, next, 'entity=globalvariable')).map(({ data }) => data.id)).toEqual([id])
    const late = await ask(admin, `from=${from}&entity=globalvariable`)
    expect(late.items.map(({ data }) => data.id)).toEqual([id])
    const { items: none } = await ask(admin, `after=${next}&type=user.locked&wait=1`)
    expect(none).toEqual([])
  })

  test('gives values only if asked, and neither secrets nor personal ones [P-2674]', async () => {
    const secret = await admin.create('metaapp', { name: 'Meta', app_id: '42', app_client_secret: 'Nunca-42' })
    await newUser('zeca')
    const items = await readAll(admin, begin, 'values=true')
    const text = JSON.stringify(items)
    for (const hidden of ['Nunca-42', 'zeca', '$secret', '$personal']) expect(text).not.toContain(hidden)
    const bots = items.filter(({ data }) => data.entity === 'bot')
    expect(bots[0]?.data.values).toMatchObject({ name: 'Bia' })
    const made = items.find(({ data }) => data.id === secret)
    expect(made?.data.changed).toContain('app_client_secret')
    expect(made?.data.values).not.toHaveProperty('app_client_secret')
    expect(JSON.stringify(await readAll(admin, begin))).not.toContain('"values"')
  })

  test('gives personal values of users to who may send them, for a reason that the audit has [P-2744]', async () => {
    const { next } = await ask(admin)
    const id = await newUser('iracema')
    const query = `after=${next}&entity=user&values=true&personal=true`
    expect(await ana.client.get(`/event?${query}&reason=CRM`)).toMatchObject({
      status: 403,
      body: { code: 'access.lacking' },
    })
    for (const wrong of [query, `${query}&reason=%20`, `after=${next}&personal=true&reason=CRM`])
      expect((await admin.get(`/event?${wrong}`)).status, wrong).toBe(422)
    const { items } = await ask(admin, `${query}&reason=Cadastro%20no%20CRM`)
    expect(items.map(({ data }) => data)).toMatchObject([
      {
        id,
        values: { username: 'iracema', firstname: 'iracema' },
        personal: expect.arrayContaining(['username', 'email']),
      },
    ])
    for (const item of items) expect(publicEventSchema.parse(item)).toEqual(item)
    expect(JSON.stringify(items)).not.toContain(PASSWORD)
    const read = async () => (await admin.get('/audit?entity=user&action=exported')).body.items
    await vi.waitFor(async () =>
      expect(await read()).toMatchObject([
        {
          changes: [
            { path: 'reason', after: 'Cadastro no CRM' },
            { path: 'count', after: 1 },
          ],
        },
      ]),
    )
  })

  test('describes each kind with a schema and an example [P-2675]', async () => {
    const { components, paths } = (await admin.get('/openapi.json')).body as unknown as Described
    expect(paths).toHaveProperty(['/botadmin/api/event', 'get'])
    const names = components.schemas.PublicEvent?.anyOf?.map(({ $ref }) => $ref.split('/').at(-1) ?? '') ?? []
    expect(names).toHaveLength(Object.keys(PUBLIC_KINDS).length)
    for (const name of names) {
      const [example] = components.schemas[name]?.examples ?? []
      expect(publicEventSchema.parse(example)).toEqual(example)
    }
  })
})

describe('receivers of events', () => {
  test('are webhooks at public https addresses alone, unless private ones are allowed [P-2746]', async () => {
    const made = (url: string) => admin.post('/webhook', { name: url, url, enable: false })
    for (const host of ['127.0.0.1', '10.0.0.1', '[::1]', '169.254.169.254', '2130706433', 'localhost'])
      expect(await made(`https://${host}/hook`), host).toMatchObject({
        status: 422,
        body: { errors: [{ path: 'url', params: { rule: 'privatehost' } }] },
      })
    expect((await made('http://93.184.216.34/hook')).status).toBe(422)
    const { status, body } = await made('https://93.184.216.34/hook')
    expect(status).toBe(201)
    expect((await admin.patch(`/webhook/${body.id}`, { url: 'https://192.168.0.1/' }, 1)).status).toBe(422)
  })

  test('receives events of the own level and below, of readable entities alone [P-2676]', async () => {
    const items = await readAll(ana.client, begin)
    expect(new Set(items.map(({ data }) => data.entity))).toEqual(new Set(['bot', 'conversation']))
    expect(items.every(({ data }) => data.hierarchylevel === north)).toBe(true)
    expect(items.map(({ type }) => type)).toContain('conversation.started')
  })

  test('ends with a right that is taken away, also while a call waits [P-2677]', async () => {
    const eva = await person(parley, admin, { username: 'eva', level: north, actions: ACTIONS })
    const { next } = await ask(eva.client)
    const waiting = eva.client.get(`/event?after=${next}&wait=30`)
    const bot = await admin.create('bot', { name: 'Um', hierarchylevel: north })
    expect(((await waiting).body as unknown as Page).items.map(({ data }) => data.id)).toEqual([bot])
    const actions = ACTIONS.filter(action => action !== 'readbot')
    await admin.patch(`/role/${eva.role}`, { actions }, 1)
    expect((await readAll(eva.client, next)).map(({ data }) => data.id)).toEqual([])
    const held = eva.client.get(`/event?after=${(await ask(eva.client)).next}&wait=30`)
    await admin.patch(`/role/${eva.role}`, { actions: actions.filter(action => action !== 'readevent') }, 2)
    expect((await held).status).toBe(403)
    expect((await eva.client.get('/event')).status).toBe(403)
  })

  test('sends the id alone of a forgotten person [P-2678]', async () => {
    const gone = await newUser('some')
    await admin.post(`/user/${gone}/forget`, CONFIRM)
    const items = (await readAll(admin, begin, 'entity=user&values=true')).filter(({ data }) => data.id === gone)
    expect(items.length).toBeGreaterThan(1)
    for (const { data } of items) expect(data).toEqual({ entity: 'user', id: gone })
  })

  test('refuses cursors that are changed, cut or of another store [P-2679]', async () => {
    const [packed = '', mac = ''] = begin.split('.')
    const forged = Buffer.from('0000000000000000 0000000000000000').toString('base64url')
    const foreign = 'MDAwMDAwMDAwMDAwMDA0MiA.5f2c1a9b8e7d6c5f'
    for (const cursor of [`${forged}.${mac}`, packed, `${packed}.`, `${packed}.${mac}.x`, foreign, 'x', ''])
      expect(await admin.get(`/event?after=${cursor}`), cursor).toMatchObject({
        status: 410,
        body: { code: 'event.cursor' },
      })
    for (const query of ['limit=0', 'limit=1001', 'wait=31', 'type=BotStarted', 'entity=nothing', 'after=a&b=c'])
      expect((await admin.get(`/event?${query}`)).status, query).toBe(422)
  })
})

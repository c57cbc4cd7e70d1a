import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import { personAt } from '#test/fixture/chat-person.ts'
import { AGENT, message, openDeskTeam, until } from './desk-team.ts'
import { discard } from './harness.ts'
import { level, person } from './people.ts'
import { uploadPicture } from './upload.ts'

const team = await openDeskTeam()
afterAll(() => discard(team.parley))

const auditOf = async (conversation: string) => {
  const { body } = await team.admin.get(`/audit?entity=conversation&entityid=${conversation}&size=50`)
  return body.items as never as { readonly action: string; readonly user: { readonly username: string } | null }[]
}

describe('two agents at once', () => {
  test('get one chat that waits: the other, and who asks twice, read who has it [P-2215]', async () => {
    const { camila, diego, waiting } = team
    const { at } = await waiting()
    const clients = [camila.client, diego.client, camila.client, diego.client]
    const answers = await Promise.all(clients.map(client => client.post(`${at}/take`, {})))
    const refused = answers.filter(({ status }) => status !== 200)
    expect(refused.length).toBeGreaterThanOrEqual(2)
    expect(refused.map(({ body }) => body.code)).toEqual(refused.map(() => 'desk.taken'))
  })

  test('get one conversation of the bot that both take over [P-2216]', async () => {
    const { camila, diego, parley, bot } = team
    const ana = await personAt(parley, bot.web)
    await until(async () => expect(await ana.talk()).toEqual(['bot: Qual é o pedido?']))
    const at = `/conversation/${ana.conversation}/takeover`
    const answers = await Promise.all([camila, diego].map(({ client }) => client.post(at, {})))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    const [winner, loser] = answers[0]?.status === 200 ? ['camila', answers[1]] : ['diego', answers[0]]
    expect(loser?.body).toMatchObject({ code: 'desk.notyours', params: { agent: winner } })
    const audited = (await auditOf(ana.conversation)).filter(({ action }) => action === 'takenover')
    expect(audited).toHaveLength(1)
  })
})

describe('the desk of a level', () => {
  test('is on for who has the queue of a lower level, and off beside it [P-2217]', async () => {
    const { admin, parley } = team
    expect((await admin.get('/desk/summary')).body).toMatchObject({ enabled: true })
    const beside = await level(admin, 'Ao lado')
    const eva = await person(parley, admin, { username: 'eva', level: beside, actions: AGENT })
    expect((await eva.client.get('/desk/summary')).body).toMatchObject({ enabled: false })
  })
})

describe('a chat that is read in the view of its holder', () => {
  test('is audited under the name of who looks [P-2218]', async () => {
    const { admin, camila, parley, bot } = team
    const ana = await personAt(parley, bot.web)
    await until(async () => expect(await ana.talk()).toEqual(['bot: Qual é o pedido?']))
    expect((await camila.client.post(`/conversation/${ana.conversation}/takeover`, {})).status).toBe(200)
    const at = `/desk/chat/${ana.conversation}`
    const readers = async () =>
      (await auditOf(ana.conversation)).flatMap(({ action, user }) => (action === 'opened' ? [user?.username] : []))
    expect((await camila.client.get(at)).body).toMatchObject({ mine: true })
    expect(await readers()).toEqual([])
    expect((await admin.post('/auth/seeas', { user: camila.id })).status).toBe(204)
    expect((await admin.get(at)).body).toMatchObject({ mine: true })
    expect((await admin.post('/auth/seeas/end')).status).toBe(204)
    expect(await readers()).toEqual(['admin'])
  })
})

describe('messages of an agent', () => {
  test('has no file of a type that the channel denies [P-2219]', async () => {
    const { admin, camila, bot, waiting } = team
    const { at } = await waiting()
    await camila.client.post(`${at}/take`, {})
    const { id } = await uploadPicture(camila.client, 'foto.png')
    const denied = await admin.patch(`/channel/${bot.web}`, { deny_attachment_types: ['image/png'] }, 1)
    expect(denied.status, denied.text).toBe(200)
    const sent = await camila.client.post(`${at}/messages`, { ...message('Veja', '9'), attachments: [id] })
    expect(sent.status).toBe(422)
    expect(sent.body).toMatchObject({ errors: [{ path: 'attachments.0', code: 'option' }] })
    await admin.patch(`/channel/${bot.web}`, { deny_attachment_types: [] }, 2)
  })

  test('has no file of a canned answer of another user or level [P-2223]', async () => {
    const { admin, camila, diego, place, waiting } = team
    const { at } = await waiting()
    await camila.client.post(`${at}/take`, {})
    const { id: below } = (await admin.post('/hierarchy', { name: 'Longe', parent: place })).body
    const withFile = async (fields: object) => {
      const file = await uploadPicture(admin, 'foto.png')
      const made = await admin.post('/cannedanswer', {
        text: 'Veja',
        locale: 'any',
        attachments: [{ file }],
        ...fields,
      })
      expect(made.status, made.text).toBe(201)
      return String(file.id)
    }
    const send = async (file: string) =>
      (await camila.client.post(`${at}/messages`, { ...message('Veja', '9'), attachments: [file] })).status
    expect(await send(await withFile({ shortcut: 'alheia', owner: diego.id }))).toBe(422)
    expect(await send(await withFile({ shortcut: 'longe', hierarchylevel: below }))).toBe(422)
    expect(await send(await withFile({ shortcut: 'nossa' }))).toBe(200)
  })

  test('is refused while the bot is stopped, as is the return to it [P-2220]', async () => {
    const { admin, camila, bot, waiting } = team
    const { ana, at } = await waiting()
    await camila.client.post(`${at}/take`, {})
    await admin.post(`/bot/${bot.bot}/stop`)
    for (const answer of [
      await camila.client.post(`${at}/messages`, message('parado', '9')),
      await camila.client.post(`${at}/close`, { reason: 'resolvido' }),
    ])
      expect(answer.body).toMatchObject({ status: 409, code: 'bot.stopped' })
    await admin.post(`/bot/${bot.bot}/start`)
    expect((await camila.client.post(`${at}/close`, { reason: 'resolvido' })).status).toBe(200)
    await until(async () => expect((await ana.talk()).at(-1)).toBe('bot: De volta: closed'))
    expect(await ana.talk()).not.toContain('agent: parado')
  })
})

describe('a held chat', () => {
  test('takes notes of who may read it alone, and no empty ones [P-2221]', async () => {
    const { camila, diego, waiting } = team
    const { at } = await waiting()
    await camila.client.post(`${at}/take`, {})
    const note = (text: string) => ({ id: randomUUID(), text })
    expect((await diego.client.post(`${at}/note`, note('de fora'))).status).toBe(403)
    expect((await camila.client.post(`${at}/note`, note('   '))).status).toBe(422)
    expect((await camila.client.post(`${at}/note`, note('de dentro'))).status).toBe(200)
    expect((await camila.client.get(at)).body).toMatchObject({ notes: [{ text: 'de dentro' }] })
  })

  test('is put away to another moment by a second request [P-2222]', async () => {
    const { camila, waiting } = team
    const { at } = await waiting()
    await camila.client.post(`${at}/take`, {})
    for (const until of ['2031-01-01T00:00:00.000Z', '2030-01-01T00:00:00.000Z']) {
      expect((await camila.client.post(`${at}/snooze`, { until })).status).toBe(200)
      expect((await camila.client.get(at)).body).toMatchObject({ status: 'snoozed', snoozeduntil: until })
    }
    expect((await camila.client.post(`${at}/wake`, {})).status).toBe(200)
    expect((await camila.client.get(at)).body).toMatchObject({ status: 'held', snoozeduntil: null })
  })
})

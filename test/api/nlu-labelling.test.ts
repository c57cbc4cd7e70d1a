import { expect, test, vi } from 'vitest'
import { makeChatBot } from './chat-bot.ts'
import { nluProjectOf, trainedModel } from './nlu-project.ts'
import { openChat } from './open-chat.ts'
import { openAdmin } from './open-parley.ts'
import { level, person } from './people.ts'

const LINES = {
  boleto: ['quero a segunda via do boleto', 'preciso do boleto', 'onde está meu boleto', 'boleto por favor'],
  atendente: ['falar com um atendente', 'quero uma pessoa', 'me passa para um humano', 'preciso de ajuda'],
}

const { parley, admin } = await openAdmin()

const made = (entity: string, fields: object) => admin.create(entity, fields)

test('a story is checked as it is edited, with what bots of the project can do [N-5.13] [P-1086]', async () => {
  const own = await made('nluproject', { name: 'Histórias', locale: 'pt' })
  await made('intent', {
    nluproject: own,
    name: 'saldo',
    statements: [{ text: 'meu saldo' }],
    responses: [{ text: 'Já vejo' }],
  })
  await made('intent', { nluproject: own, name: 'vazia' })
  const steps = [
    { kind: 'intent', name: 'saldo' },
    { kind: 'action', name: 'Ver saldo' },
  ]
  const story = await made('story', { nluproject: own, name: 'primeira', steps })
  const faults = async (more: object, client = admin) =>
    (await client.post(`/nluproject/${own}/checkstory`, { story: null, steps, ...more })).body.faults
  expect(await faults({ story })).toEqual([])
  const bot = await made('bot', { name: 'Das histórias', nluproject: own })
  expect(await faults({ story })).toEqual([{ code: 'action', step: 1, name: 'Ver saldo' }])
  const task = await made('dialogtask', { name: 'Saldos', bot })
  await made('dialog', { name: 'Ver saldo', dialogtask: task })
  expect(await faults({ story })).toEqual([])
  expect(await faults({})).toEqual([
    { code: 'same', step: null, name: '', other: { id: story, name: 'primeira', does: '' } },
  ])
  const other = [
    steps[0],
    { kind: 'entity', name: 'lugar' },
    { kind: 'intent', name: 'vazia' },
    { kind: 'action', name: 'utter_saldo' },
  ]
  expect(await faults({ steps: other })).toEqual([
    { code: 'entity', step: 1, name: 'lugar' },
    { code: 'unsaid', step: 2, name: 'vazia' },
  ])
  expect(await faults({ steps: [steps[0], { kind: 'action', name: 'utter_saldo' }] })).toEqual([
    {
      code: 'contradiction',
      step: 1,
      name: 'utter_saldo',
      other: { id: story, name: 'primeira', does: 'Ver saldo' },
    },
  ])
  expect((await admin.post('/nluproject/none/checkstory', { story: null, steps })).status).toBe(404)
  const here = await level(admin, 'Sem histórias')
  const { client } = await person(parley, admin, {
    username: 'semhistoria',
    level: here,
    actions: ['readnluproject'],
  })
  expect((await client.post(`/nluproject/${own}/checkstory`, { story: null, steps })).status).toBe(403)
})

test('a line of what nobody understood is dismissed and brought back, which the audit tells without its words [P-1088]', async () => {
  const nluproject = await nluProjectOf(admin, 'Dispensas', LINES)
  const model = await trainedModel(admin, 'intent', { nluproject })
  expect((await admin.post(`/nluproject/${nluproject}/setproduction`, { model })).status).toBe(200)
  const asks = { varname: 'x', data: { type: 'choice', text: 'Qual?', options: [{ label: 'Um' }, { label: 'Dois' }] } }
  const { channel } = await makeChatBot(admin, { name: 'Dora', nluenabled: true, nluproject }, asks)
  await openChat(parley.origin, channel, ['segredo zzz'])
  const lineOf = async () => (await admin.get(`/nluproject/${nluproject}/unrecognized`)).body.items[0]
  await vi.waitFor(async () => expect(await lineOf()).toMatchObject({ text: 'segredo zzz', dismissed: false }), 10_000)
  const line = String((await lineOf())?.line)
  const dismiss = async (done?: boolean) => admin.post(`/nluproject/${nluproject}/dismissline`, { line, done })
  expect((await dismiss()).status).toBe(200)
  expect(await lineOf()).toMatchObject({ line, dismissed: true })
  // Said again, in other letters, it stays dismissed.
  await openChat(parley.origin, channel, ['SEGREDO zzz'])
  await vi.waitFor(async () => expect(await lineOf()).toMatchObject({ dismissed: true, count: 2 }), 10_000)
  const { revision } = (await dismiss(true)).body
  expect(revision).toBe((await admin.get(`/nluproject/${nluproject}`)).body.revision)
  expect((await dismiss(false)).status).toBe(200)
  expect(await lineOf()).toMatchObject({ dismissed: false })
  const history = (await admin.get(`/nluproject/${nluproject}/history`)).body.items.map(({ type }) => type)
  expect(history.slice(-2)).toEqual(['NluProjectLineDismissed', 'NluProjectLineBroughtBack'])
  const audit = await admin.get('/audit?size=20')
  expect(audit.body.items.slice(0, 2).map(({ action }) => action)).toEqual(['linebroughtback', 'linedismissed'])
  expect(audit.text.toLowerCase()).not.toContain('segredo zzz')
  for (const wrong of ['', 'abc', 'segredo zzz'])
    expect((await admin.post(`/nluproject/${nluproject}/dismissline`, { line: wrong })).status).toBe(422)
})

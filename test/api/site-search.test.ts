import { describe, expect, test } from 'vitest'
import { openAdmin } from './open-parley.ts'
import { level } from './people.ts'

const { admin } = await openAdmin()

const made = (entity: string, fields: object) => admin.create(entity, fields)
const found = async (text: string) =>
  (await admin.get(`/search?search=${encodeURIComponent(text)}`)).body.items.map(({ id }) => id)

const flow = (text: string) => ({
  operators: {
    a: {
      type: 'marker',
      title: text,
      top: 0,
      left: 0,
      properties: { inputs: {}, outputs: {} },
    },
  },
  links: {},
})

describe('a site search index', () => {
  test('has an entity type, a bot and an NLU project [C-3.67]', async () => {
    const bot = await made('bot', { name: 'Índice' })
    const id = await made('sitesearchindex', { entity_type: 'dialog', bot })
    expect((await admin.get(`/sitesearchindex/${id}`)).body).toMatchObject({
      entity_type: 'dialog',
      bot,
      nluproject: null,
    })
    for (const wrong of [{}, { entity_type: 'user' }, { entity_type: 'dialog', bot: 'none' }])
      expect((await admin.post('/sitesearchindex', wrong)).status).toBe(422)
    expect((await admin.get(`/sitesearchindex?bot=${bot}`)).body.total).toBe(1)
    await admin.delete(`/bot/${bot}`, { confirm: 'CONFIRM' })
    expect((await admin.get(`/sitesearchindex/${id}`)).body.bot).toBeNull()
    await admin.delete(`/sitesearchindex/${id}`)
  })

  test('lets the search find things of its kind by their texts, not by name alone [P-204]', async () => {
    const message = await made('localemessage', { code: 'ola', locale: 'pt', message: 'Saudação calorosa' })
    expect(await found('calorosa')).toEqual([])
    const index = await made('sitesearchindex', { entity_type: 'localemessage' })
    expect(await found('calorosa')).toEqual([message])
    await admin.delete(`/sitesearchindex/${index}`)
    expect(await found('calorosa')).toEqual([])
    expect(await found('ola')).toContain(message)
  })

  test('covers its level and those below, and nothing beside it [P-204]', async () => {
    const [north, south] = [await level(admin, 'Norte'), await level(admin, 'Sul')]
    const inNorth = await made('codesample', { name: 'Um', description: 'palavra rara', hierarchylevel: north })
    await made('codesample', { name: 'Dois', description: 'palavra rara', hierarchylevel: south })
    await made('sitesearchindex', { entity_type: 'codesample', hierarchylevel: north })
    expect(await found('palavra rara')).toEqual([inNorth])
  })

  test('with a bot looks into the flows of that bot alone [P-204]', async () => {
    const flows = []
    for (const name of ['Aurora', 'Boreal']) {
      const { bot, dialog } = await admin.createDialog({ name }, 'Vendas', 'Menu')
      await admin.put(`/dialog/${dialog}/flow`, flow('Escolha o acabamento'))
      flows.push({ bot, dialog })
    }
    expect(await found('acabamento')).toEqual([])
    await made('sitesearchindex', { entity_type: 'dialog', bot: flows[0]?.bot })
    const { items } = (await admin.get('/search?search=acabamento')).body
    expect(items).toMatchObject([
      { entity: 'dialog', id: flows[0]?.dialog, name: 'Menu', parents: [{ name: 'Aurora' }, { name: 'Vendas' }] },
    ])
  })
})

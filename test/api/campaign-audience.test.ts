import { afterAll, describe, expect, test } from 'vitest'
import { callHook, ORDER, startTemplateWorld } from './template-world.ts'

const world = await startTemplateWorld()
world.graph.nextStatus = 'APPROVED'
afterAll(() => world.close())

describe('a campaign with saved lists and segments', () => {
  let sale: string
  const fill = async (list: string, people: readonly object[]) => {
    const { status, text: answer } = await world.admin.post(`/contact/bulk?list=${list}`, people)
    expect(status, answer).toBe(200)
  }
  const sentSince = (from: number) =>
    world.graph.accepted
      .slice(from)
      .map(({ to, template }) => {
        const { components } = template as { readonly components: readonly { parameters: { text: string }[] }[] }
        return `${String(to).slice(-4)} ${components[0]?.parameters.map(one => one.text).join(' ')}`
      })
      .sort()
  const ended = async () => {
    const state = async () => (await world.admin.get(`/campaign/${sale}`)).body.run_status
    await expect.poll(state, { timeout: 20_000 }).toBe('completed')
  }
  const begin = async () => {
    const from = world.graph.accepted.length
    const { status, text: answer } = await world.admin.post(`/campaign/${sale}/start`, {})
    expect(status, answer).toBe(200)
    return from
  }

  test('reaches each number once, none of the minus lists, and shows what was planned [P-2761]', async () => {
    const template = await world.draft(ORDER)
    await world.submitted(template)
    const [first, second, minus] = [
      await world.made('/contactlist', { name: 'primeira' }),
      await world.made('/contactlist', { name: 'segunda' }),
      await world.made('/contactlist', { name: 'não' }),
    ]
    await fill(first, [
      { phone: '11 98765-2001', nome: 'Ana', field01: 'da lista' },
      { phone: '11 98765-2002', nome: 'Bia', field01: 'B' },
    ])
    await fill(second, [
      { phone: '11 98765-2002', nome: 'Bianca', field01: 'BB' },
      { phone: '21 98765-2003', nome: 'Caio', field01: 'C' },
      { phone: '21 98765-2004', nome: 'Davi', field01: 'D' },
      { phone: '11 98765-2005', nome: 'Eva', field01: 'E' },
    ])
    await fill(minus, [{ phone: '(21) 98765-2004' }])
    const rule = {
      all: [
        { field: 'list', op: 'in', value: [second] },
        { field: 'ddd', op: 'in', value: ['21'] },
      ],
    }
    const segment = await world.made('/segment', { name: 'Rio', rule })
    const mapping = [
      { variable: '1', source: 'nome' },
      { variable: '2', source: 'field01' },
    ]
    const of = { lists: [first], segments: [segment], minuslists: [minus], repeat: 'everyone', daily_cap: false }
    sale = await world.made('/campaign', { name: 'rio', template, metaaccount: world.account, mapping, ...of })
    await world.admin.post('/contact', { campaign: sale, phone: '11 98765-2001', nome: 'Ana', field01: 'própria' })
    const review = (await world.admin.get(`/campaign/${sale}/review`)).body
    expect(review).toMatchObject({ total: 4, ready: 3, notsent: [{ code: 'minuslist', count: 1 }] })
    // The list of prices needs the country of each, those of lists and segments too.
    expect(review.cost).toMatchObject({ counts: [{ category: 'utility', country: 'BR', count: 3 }] })
    const from = await begin()
    await ended()
    expect(sentSince(from)).toEqual(['2001 Ana própria', '2002 Bia B', '2003 Caio C'])
    const { items } = (await world.admin.get(`/campaignrun?campaign=${sale}`)).body
    expect(items[0]?.audience).toEqual({
      own: 1,
      lists: [{ id: first, name: 'primeira', count: 1 }],
      segments: [{ id: segment, name: 'Rio', count: 1, rule }],
      minus: [{ id: minus, name: 'não' }],
      omitted: 1,
    })
    // The report has names of contacts that only the lists have.
    const recipients = (await world.admin.get(`/campaign/${sale}/recipients`)).body
    expect(recipients.items.map(({ nome, reason }) => `${String(nome)} ${String(reason)}`).sort()).toEqual([
      'Ana null',
      'Bia null',
      'Caio null',
      'Davi minuslist',
    ])
    const found = (await world.admin.post(`/campaign/${sale}/recipients/search`, { search: 'ca' })).body
    const further = { search: 'ca', after: found.next }
    expect(found.items).toEqual([])
    expect((await world.admin.post(`/campaign/${sale}/recipients/search`, further)).body).toMatchObject({
      items: [{ nome: 'Caio', values: ['C'] }],
      next: null,
    })
    expect((await world.admin.get(`/contact?campaign=${sale}`)).body.total).toBe(1)
    // The same number gets another message after six seconds at the earliest.
    const bia = (await world.admin.post('/contact/search', { list: first, search: '11 98765-2002' })).body.items[0]
    const renamed = { list: first, field01: 'B novo' }
    expect((await world.admin.patch(`/contact/${String(bia?.id)}`, renamed, '*')).status).toBe(200)
    const ana = (await world.admin.post('/contact/search', { list: second, search: '21 98765-2003' })).body.items[0]
    await world.admin.delete(`/contact/${String(ana?.id)}?list=${second}`)
    const again = await begin()
    await ended()
    expect(sentSince(again)).toEqual(['2001 Ana própria', '2002 Bia B novo'])
  }, 60_000)

  test('gives its result to a list, by outcome [P-2762]', async () => {
    const list = await world.made('/contactlist', { name: 'não leu' })
    const copied = async (body: object) => {
      const { status, text: answer, body: job } = await world.admin.post(`/contactlist/${list}/copy`, body)
      expect(status, answer).toBe(202)
      const state = async () => (await world.admin.get(`/contactjob/${String(job.id)}`)).body
      await expect.poll(async () => (await state()).state, { timeout: 10_000 }).toBe('finished')
      return (await state()).count
    }
    const last = world.graph.accepted.findLast(({ to }) => String(to).endsWith('2001'))
    const callback = String(last?.biz_opaque_callback_data)
    const read = { id: 'wamid.LISTA1', status: 'read', timestamp: '1764126000', biz_opaque_callback_data: callback }
    await callHook(world, { statuses: [read] })
    await expect.poll(() => copied({ campaign: sale, outcome: 'read' }), { timeout: 10_000 }).toBe(1)
    expect(await copied({ campaign: sale, outcome: 'notread' })).toBe(2)
    expect(await copied({ campaign: sale, outcome: 'failed' })).toBe(0)
    const { items } = (await world.admin.get(`/contact?list=${list}`)).body
    expect(items.map(({ nome }) => nome).sort()).toEqual(['Ana', 'Bia', 'Caio'])
    expect((await world.admin.post(`/contactlist/${list}/copy`, { campaign: sale })).status).toBe(422)
    const rule = { all: [{ field: 'campaign', op: 'read', value: { campaign: sale } }] }
    expect((await world.admin.post('/segment/sample', { rule })).body.count).toBe(1)
  })

  test('compares two templates over the people of its lists, each once [P-2912]', async () => {
    const [a, b] = [await world.draft(ORDER), await world.draft({ ...ORDER, body: 'Olá, {{1}}: chegou o {{2}}.' })]
    for (const template of [a, b]) await world.submitted(template)
    const [first, second] = [
      await world.made('/contactlist', { name: 'manhã' }),
      await world.made('/contactlist', { name: 'tarde' }),
    ]
    const people = Array.from({ length: 24 }, (_, at) => ({
      phone: `11 98766-30${10 + at}`,
      nome: `P${at}`,
      field01: `${at}`,
    }))
    await fill(first, people.slice(0, 16))
    await fill(second, people.slice(12))
    const mapping = ['nome', 'field01'].map((source, at) => ({ variable: `${at + 1}`, source }))
    const of = { template: a, template_b: b, compare_share: 50, lists: [first, second] }
    sale = await world.made('/campaign', {
      name: 'dupla',
      metaaccount: world.account,
      mapping,
      daily_cap: false,
      ...of,
    })
    const { total, ready, variants } = (await world.admin.get(`/campaign/${sale}/review`)).body as unknown as {
      readonly total: number
      readonly ready: number
      readonly variants: Readonly<Record<'a' | 'b' | 'rest', number>>
    }
    expect([total, variants.a + variants.b + variants.rest, ready]).toEqual([24, 24, variants.a + variants.b])
    const from = await begin()
    const status = async () => (await world.admin.get(`/campaign/${sale}`)).body.run_status
    await expect.poll(status, { timeout: 20_000 }).toBe('waiting')
    const names = () =>
      world.graph.accepted.slice(from).map(({ template }) => String((template as { readonly name: string }).name))
    expect(names()).toHaveLength(ready)
    const chosen = await world.admin.post(`/campaign/${sale}/choosewinner`, { winner: 'b' })
    expect(chosen.status, chosen.text).toBe(200)
    await ended()
    const templates = await Promise.all(
      [a, b].map(async id => String((await world.admin.get(`/template/${id}`)).body.templateName)),
    )
    const sent = templates.map(template => names().filter(name => name === template).length)
    expect(sent).toEqual([variants.a, variants.b + variants.rest])
    expect(new Set(world.graph.accepted.slice(from).map(({ to }) => to)).size).toBe(24)
    const { comparison } = (await world.admin.get(`/campaign/${sale}/statistics`)).body
    expect(comparison).toMatchObject({
      winner: 'b',
      variants: (['a', 'b', 'rest'] as const).map(variant => ({ variant, total: variants[variant] })),
    })
    const { items } = (await world.admin.get(`/campaignrun?campaign=${sale}`)).body
    expect(items[0]?.audience).toMatchObject({
      own: 0,
      lists: [
        { name: 'manhã', count: 16 },
        { name: 'tarde', count: 8 },
      ],
    })
  }, 60_000)
})

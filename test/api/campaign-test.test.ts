import { afterAll, describe, expect, test } from 'vitest'
import { person } from './people.ts'
import { startTemplateWorld } from './template-world.ts'

const PHONE = '+5511987650009'
const world = await startTemplateWorld()
world.graph.nextStatus = 'APPROVED'
const template = await world.draft({ category: 'utility', footer: null, buttons: [], header: null })
await world.submitted(template)
const mapping = [
  { variable: '1', source: 'nome' },
  { variable: '2', source: 'field01' },
]
const campaign = await world.made('/campaign', { name: 'pedidos', template, metaaccount: world.account, mapping })
await world.made('/contact', { campaign, phone: '11 98765-0001', nome: 'Ana', field01: 'A1' })
const luana = await world.made('/contact', { campaign, phone: '11 98765-0002', nome: 'Luana', field01: 'L2' })
afterAll(() => world.close())

const at = (path: string) => `/campaign/${campaign}/${path}`
const send = (phones: readonly string[], more = {}) => world.admin.post(at('test'), { phones, ...more })
const rules = ({ body }: { readonly body: unknown }) =>
  ((body as { errors?: { path: string; params?: { rule?: string } }[] }).errors ?? []).map(
    ({ path, params }) => `${path} ${params?.rule}`,
  )
const numbers = async () => (await world.admin.get(at('testnumbers'))).body
/** The code that was sent last. */
const lastCode = () => /\d{6}/u.exec(JSON.stringify(world.graph.accepted.at(-1)?.text))?.[0] ?? ''

describe('a test of a campaign', () => {
  let number: string

  test('goes to no number that is not verified [P-2620]', async () => {
    expect(rules(await send([PHONE]))).toEqual(['phones.0 testnumber'])
    expect(rules(await send(['11 98765-0001']))).toEqual(['phones.0 testnumber'])
    expect(world.graph.accepted).toEqual([])
    expect((await send(Array.from({ length: 6 }, () => PHONE))).status).toBe(422)
  })

  test('needs a code that was sent to the number, in five tries [P-2621]', async () => {
    const refusal = { http: 400, body: { error: { code: 131047, message: 'Re-engagement message' } } }
    world.graph.replies.push(refusal)
    expect(rules(await world.admin.post(at('testnumbers'), { phone: PHONE }))).toEqual(['phone testcodewindow'])
    const begun = await world.admin.post(at('testnumbers'), { phone: '11 98765-0009' })
    expect(begun.status, begun.text).toBe(201)
    number = begun.body.id
    expect(world.graph.accepted.at(-1)).toMatchObject({ to: PHONE, type: 'text' })
    expect(await numbers()).toMatchObject({ items: [{ id: number, phone: PHONE, verified: false }], simulated: false })
    const verify = (code: string) => world.admin.post(at('testnumbers/verify'), { number, code })
    const [code] = [lastCode()]
    const other = code === '000000' ? '000001' : '000000'
    for (let tries = 0; tries < 5; tries += 1) expect(rules(await verify(other))).toEqual(['code testcode'])
    expect(rules(await verify(code))).toEqual(['code testcode'])
    expect(rules(await send([PHONE]))).toEqual(['phones.0 testnumber'])
    await world.admin.post(at('testnumbers'), { phone: PHONE })
    expect((await verify(lastCode())).body).toEqual({ verified: true })
    expect(await numbers()).toMatchObject({ items: [{ id: number, verified: true }] })
    expect(rules(await world.admin.post(at('testnumbers'), { phone: PHONE }))).toEqual(['phone testknown'])
  })

  test('has the values of a contact, and is in no statistics [P-2622]', async () => {
    world.graph.accepted.length = 0
    const first = await send([PHONE])
    expect(first.body, first.text).toEqual({ results: [{ phone: PHONE, sent: true, reason: null, text: null }] })
    await send([PHONE], { contact: luana })
    expect(world.graph.accepted.map(({ to }) => to)).toEqual([PHONE, PHONE])
    const texts = world.graph.accepted.map(({ template }) => JSON.stringify(template))
    expect(texts[0]).toContain('"Ana"')
    expect(texts[1]).toContain('"Luana"')
    expect((await world.admin.get(at('statistics'))).body).toMatchObject({ total: 0, handedover: 0 })
    expect((await world.admin.get(`/campaign/${campaign}`)).body).toMatchObject({ run_status: null })
    expect((await world.admin.get(at('review'))).body).toMatchObject({ total: 2, ready: 2 })
    expect((await send([PHONE], { contact: 'none' })).status).toBe(404)
  })

  test('has the second template of a comparison where it is chosen [P-2717]', async () => {
    const other = {
      category: 'utility',
      footer: null,
      buttons: [],
      header: null,
      body: 'Segunda versão, {{1}}: {{2}}.',
    }
    const second = await world.draft({ ...other, templateName: 'segunda' })
    await world.submitted(second)
    const { revision } = (await world.admin.get(`/campaign/${campaign}`)).body
    // A campaign without a second template has nothing to test there.
    expect((await send([PHONE], { variant: 'b' })).status).toBe(404)
    expect((await world.admin.patch(`/campaign/${campaign}`, { template_b: second }, revision)).status).toBe(200)
    world.graph.accepted.length = 0
    for (const variant of ['b', 'a'])
      expect((await send([PHONE], { variant })).body).toMatchObject({ results: [{ sent: true }] })
    const names = world.graph.accepted.map(({ template }) => (template as { name?: string }).name)
    expect(names[0]).toBe('segunda')
    expect(names[1]).not.toBe('segunda')
    expect(JSON.stringify(world.graph.accepted[0]?.template)).toContain('"Ana"')
  })

  test('is a line of the audit without the number, and needs its own right [P-2623]', async () => {
    const { body } = await world.admin.get(`/audit?entity=campaign&entityid=${campaign}`)
    expect(body.items[0]).toMatchObject({ action: 'tested' })
    expect(JSON.stringify(body.items)).not.toContain('98765')
    const { hierarchylevel } = (await world.admin.get(`/campaign/${campaign}`)).body
    const reader = { username: 'leitora', level: String(hierarchylevel), actions: ['readcampaign', 'readcontact'] }
    const { client } = await person(world.parley, world.admin, reader)
    expect((await client.post(at('test'), { phones: [PHONE] })).status).toBe(403)
    expect((await client.get(at('testnumbers'))).status).toBe(403)
  })

  test('counts for 20 messages in 24 hours, codes included [P-2624]', async () => {
    // Three codes and four tests have gone.
    world.graph.accepted.length = 0
    for (let count = 0; count < 13; count += 1) expect((await send([PHONE])).status).toBe(200)
    expect(rules(await send([PHONE]))).toEqual(['phones testlimit'])
    expect(world.graph.accepted).toHaveLength(13)
    const removed = await world.admin.post(at('testnumbers/remove'), { number })
    expect(removed.body).toEqual({ removed: true })
    expect(rules(await send([PHONE]))).toEqual(['phones.0 testnumber'])
  })

  test('reaches any persona of a simulated number, and none elsewhere [P-2625]', async () => {
    const bot = await world.made('/bot', { name: 'Loja' })
    const made = (await world.admin.post('/simulatednumber', { bot })).body as unknown as Record<string, string>
    const ready = () => world.admin.get(`/template/${made.template}`)
    await expect.poll(async () => (await ready()).body.status, { timeout: 20_000 }).toBe('APPROVED')
    const given = { name: 'ensaio', template: made.template, metaaccount: made.account }
    const variables = ((await ready()).body.params ?? []) as { name: string }[]
    const mapping = variables.map(({ name }) => ({ variable: name, source: 'text', text: 'x' }))
    const simulated = await world.made('/campaign', { ...given, mapping })
    const path = `/campaign/${simulated}/test`
    const { body, text } = await world.admin.post(path, { phones: ['+5511900000003', PHONE] })
    expect(body.results, text).toMatchObject([
      { phone: '+5511900000003', sent: true },
      { phone: PHONE, sent: false, reason: 'nopersona' },
    ])
  })
})

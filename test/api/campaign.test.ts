import { describe, expect, test } from 'vitest'
import { openAdmin } from './open-parley.ts'

const { admin } = await openAdmin()

const metaapp = (await admin.post('/metaapp', { name: 'Aplicativo', app_id: '1' })).body.id
const metaaccount = (await admin.post('/metaaccount', { metaapp, name: 'Conta', waba_id: '1', phone_number_id: '2' }))
  .body.id
const text = { metaaccount, templateName: 'aviso', language: 'pt_BR', category: 'utility', templateType: 'TEXT' }
const template = (await admin.post('/template', { ...text, body: 'Oi, tudo bem?' })).body.id

/** Messages of a refusal by field. */
const messages = ({ body }: { readonly body: { readonly errors?: readonly { path: string; message?: string }[] } }) =>
  Object.fromEntries((body.errors ?? []).map(({ path, message }) => [path, message]))

describe('a campaign', () => {
  test('holds name, whether it is enabled, cron expression and template [D-3.9.01] [D-4.06]', async () => {
    const given = { name: 'natal', template, metaaccount, cron_expression: '0 9 * * 1-5' }
    const { status, body } = await admin.post('/campaign', given)
    expect(status).toBe(201)
    const { body: read } = await admin.get(`/campaign/${body.id}`)
    expect(read).toMatchObject({
      ...given,
      enabled: true,
      timezone: 'America/Sao_Paulo',
      repeat: 'new',
      run_status: null,
    })
  })

  test('says what is missing or wrong in the words of the specification [D-5.10] [D-5.11] [D-5.12]', async () => {
    const without = await admin.post('/campaign', {})
    expect(without.status).toBe(422)
    expect(messages(without)).toEqual({ name: 'Name is required', template: 'Template is required' })
    expect(messages(await admin.post('/campaign', { name: ' ', template }))).toHaveProperty('name')
    const spaced = await admin.post('/campaign', { name: 'de natal', template })
    expect(messages(spaced)).toEqual({ name: 'Campaign name should not contain spaces' })
    const cleared = await admin.post('/campaign', { name: '', template: null })
    expect(messages(cleared)).toEqual({ name: 'Name is required', template: 'Template is required' })
  })

  test('takes at most 20 fields of metadata [D-5.16]', async () => {
    const metadata = Array.from({ length: 21 }, (_, at) => ({ name: `campo${at}`, value: 'x' }))
    const full = await admin.post('/campaign', { name: 'cheia', template, metadata })
    expect(messages(full)).toEqual({ metadata: 'Maximum 20 fields allowed' })
    expect((await admin.post('/campaign', { name: 'cheia', template, metadata: metadata.slice(1) })).status).toBe(201)
  })

  test('requires a unique name in its level [D-8.08]', async () => {
    const { status, body } = await admin.post('/campaign', { name: 'natal', template })
    expect([status, body.detail]).toEqual([409, 'Campaign with this name already exists'])
  })

  test('refuses a schedule that is no cron expression [C-5.18]', async () => {
    const wrong = await admin.post('/campaign', { name: 'agenda', template, cron_expression: '61 9 * * *' })
    expect(messages(wrong)).toEqual({ cron_expression: 'Invalid cron expression' })
  })
})

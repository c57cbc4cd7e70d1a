import { createHmac } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import { APP_SECRET, WABA_ID } from '#test/doubles/meta/graph-server.ts'
import { corpusJson } from '#test/fixture/corpus.ts'
import { startTemplateWorld } from './template-world.ts'

const world = await startTemplateWorld()
afterAll(() => world.close())

const heard = async (field: string, value: object, time: number) => {
  const body = JSON.stringify({
    object: 'whatsapp_business_account',
    entry: [{ id: WABA_ID, time, changes: [{ field, value }] }],
  })
  const address = `${world.parley.origin}${(await world.admin.get(`/metaapp/${world.app}`)).body.webhook}`
  const signature = createHmac('sha256', APP_SECRET).update(body).digest('hex')
  const headers = { 'content-type': 'application/json', 'x-hub-signature-256': `sha256=${signature}` }
  expect((await fetch(address, { method: 'POST', headers, body })).status).toBe(200)
}

test('apply review, quality and category from webhooks, and ignore older news [P-1232]', async () => {
  const { draft, read, submitted } = world
  const id = await draft()
  const row = await submitted(id)
  const about = {
    message_template_id: Number(row.external_id),
    message_template_name: row.templateName,
    message_template_language: 'pt-BR',
  }
  const now = Math.floor(Date.now() / 1000) + 60
  await heard('message_template_status_update', { ...about, event: 'APPROVED', reason: 'NONE' }, now)
  expect(await read(id)).toMatchObject({ status: 'APPROVED', reason: null })
  await heard('message_template_status_update', { ...about, event: 'PENDING', reason: null }, now - 30)
  expect(await read(id)).toMatchObject({ status: 'APPROVED' })
  const paused = { title: 'FIRST_PAUSE', description: 'Low quality' }
  await heard('message_template_status_update', { ...about, event: 'PAUSED', other_info: paused }, now + 1)
  expect(await read(id)).toMatchObject({ status: 'PAUSED', reason: 'FIRST_PAUSE: Low quality' })
  await heard('message_template_status_update', { ...about, event: 'QUITE_NEW' }, now + 2)
  expect(await read(id)).toMatchObject({ status: 'QUITE_NEW' })
  await heard('message_template_quality_update', { ...about, new_quality_score: 'RED' }, now + 3)
  await heard(
    'template_category_update',
    { ...about, previous_category: 'MARKETING', new_category: 'UTILITY' },
    now + 4,
  )
  expect(await read(id)).toMatchObject({ quality: 'RED', category: 'utility', old_category: 'marketing' })
})

describe('webhooks as Meta writes them', () => {
  test('of the published samples are all taken [P-1232] [D-8.12]', async () => {
    const address = `${world.parley.origin}${(await world.admin.get(`/metaapp/${world.app}`)).body.webhook}`
    for (const file of [
      'template_status_update',
      'template_quality_update',
      'template_components_update',
      'account_update',
    ]) {
      const samples = corpusJson<Record<string, object>>('campaigns/pywa-webhooks', `${file}.json`)
      for (const sample of Object.values(samples).filter(each => typeof each === 'object')) {
        const body = JSON.stringify(sample)
        const signature = createHmac('sha256', APP_SECRET).update(body).digest('hex')
        const headers = { 'content-type': 'application/json', 'x-hub-signature-256': `sha256=${signature}` }
        expect((await fetch(address, { method: 'POST', headers, body })).status, file).toBe(200)
      }
    }
  })
})

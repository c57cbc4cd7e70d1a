import { createHmac } from 'node:crypto'
import { expect } from 'vitest'
import { APP_SECRET, PHONE_ID, WABA_ID } from '#test/doubles/meta/graph-server.ts'
import type { TemplateWorld } from './template-world.ts'

/** A signed call from Meta to the app's webhook. */
export const callHook = async (world: TemplateWorld, value: object, field = 'messages') => {
  const metadata = { display_phone_number: '551198765', phone_number_id: PHONE_ID }
  const change = { field, value: { messaging_product: 'whatsapp', metadata, ...value } }
  const body = JSON.stringify({ object: 'whatsapp_business_account', entry: [{ id: WABA_ID, changes: [change] }] })
  const signature = `sha256=${createHmac('sha256', APP_SECRET).update(body).digest('hex')}`
  const headers = { 'content-type': 'application/json', 'x-hub-signature-256': signature }
  const url = `${world.parley.origin}/meta/${world.app}/webhook`
  const { status } = await fetch(url, { method: 'POST', headers, body })
  expect(status).toBe(200)
}

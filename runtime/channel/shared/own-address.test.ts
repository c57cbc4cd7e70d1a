import { expect, test } from 'vitest'
import type { JsonObject } from '#schemas/event.ts'
import { ADAPTERS } from '../adapters.ts'
import type { ProviderEvent } from '../channel-port.ts'
import { isForeignPhone } from './own-address.ts'

const event = (to: string, display?: string): ProviderEvent => ({
  ...{ kind: 'echo', id: '1', to },
  ...(display === undefined ? {} : { display }),
})

test.each<[type: string, fields: JsonObject, to: string, display: string | undefined, isOther: boolean]>([
  ['whatsapp_twilio', { sender_number: '+55 11 98765-4321' }, '+5511987654321', undefined, false],
  ['whatsapp_twilio', { sender_number: '+55 11 98765-4321' }, '+5511987654322', undefined, true],
  ['whatsapp_twilio', { sender_number: 'MG1' }, '+5511987654322', undefined, false],
  ['whatsapp_infobip', { sender_number: '551187654321' }, '5511987654321', undefined, false],
  ['whatsapp_infobip', { sender_number: '11987654321' }, '5511987654321', undefined, false],
  ['whatsapp_infobip', { sender_number: '1187654321' }, '11987654321', undefined, false],
  ['whatsapp_infobip', { sender_number: '+52 55 1234 5678' }, '5215512345678', undefined, false],
  ['whatsapp_infobip', { sender_number: '+54 9 11 2345-6789' }, '541123456789', undefined, false],
  ['whatsapp_infobip', { sender_number: '+12912345678' }, '12 1234 5678', undefined, true],
  ['whatsapp_360dialog', { sender_number: '' }, '106540352242922', '5511987654321', false],
  ['whatsapp_360dialog', { account_id: '106540352242922' }, '106540352242923', undefined, true],
  ['whatsapp_360dialog', { sender_number: '5511900000000' }, '106540352242922', '5511987654321', true],
  ['whatsapp_gupshup', { account_id: 'DemoApp' }, 'demoapp', undefined, false],
  ['whatsapp_gupshup', { account_id: 'DemoApp' }, 'Other', undefined, true],
  ['whatsapp_zenvia', { sender_number: 'lume' }, 'lume', undefined, false],
  ['whatsapp_zenvia', { sender_number: 'lume' }, 'other', undefined, true],
  ['blip', { account_id: 'lume' }, 'lume@msging.net', undefined, false],
  ['blip', { account_id: 'lume' }, 'other@msging.net', undefined, true],
  ['microsoft', { channel_id: 'a' }, '28:00000000-0000-4000-8000-000000000001', undefined, true],
  ['marketplace', {}, '', undefined, false],
])('%s with %j and an event to %s (%s) [P-1740]', async (type, fields, to, display, isOther) => {
  const adapter = await ADAPTERS[type]?.()
  expect((adapter?.isForeign ?? isForeignPhone)(event(to, display), fields)).toBe(isOther)
})

import { expect, test } from 'vitest'
import { flowTemplate, isRegisteredAt, missingValues } from './sendable.ts'

const FIELDS = {
  ...{ channel: 'c1', provider: 'whatsapp_gupshup', provider_id: 't-1', status: 'APPROVED', category: 'marketing' },
  ...{ templateName: 'aviso', language: 'pt_BR', templateType: 'TEXT', header: 'Pedido {{1}}', body: 'Oi, {{1}}!' },
}

test('is registered at the channel or at the account that the channel uses, and names missing values [P-2510]', () => {
  expect(isRegisteredAt({ metaaccount: 'a1' }, { id: 'c1', metaaccount: 'a1' })).toBe(true)
  expect(isRegisteredAt({ metaaccount: '' }, { id: 'c1', metaaccount: '' })).toBe(false)
  expect(missingValues(FIELDS, { 1: ' ', header: '7' })).toEqual(['1'])
  expect(missingValues(FIELDS, { 1: 'Ana', header: '7' })).toEqual([])
})

test('may be used by flows of a bot whose channel can send it now [P-2512]', () => {
  const channels = [
    { id: 'c0', metaaccount: 'a0' },
    { id: 'c1', metaaccount: '' },
  ]
  const variables = ['header', '1']
  expect(flowTemplate(FIELDS, channels)).toEqual({ isSendable: true, variables })
  expect(flowTemplate(FIELDS, channels.slice(0, 1))).toEqual({ isSendable: false, variables })
  expect(flowTemplate({ ...FIELDS, status: 'PAUSED' }, channels)).toEqual({ isSendable: false, variables })
  // Gupshup names templates by id.
  expect(flowTemplate({ ...FIELDS, provider_id: '' }, channels)).toEqual({ isSendable: false, variables })
  const ofAccount = { ...FIELDS, channel: null, metaaccount: 'a0', provider: null }
  expect(flowTemplate(ofAccount, channels)).toEqual({ isSendable: true, variables })
})

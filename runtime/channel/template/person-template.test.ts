import { expect, test } from 'vitest'
import type { JsonObject } from '#schemas/event.ts'
import type { ProviderChannel } from '../open-channels.ts'
import { openPersonTemplates } from './person-template.ts'

const FIELDS = {
  ...{ channel: 'c1', provider: 'whatsapp_gupshup', provider_id: 't-1', status: 'APPROVED', category: 'marketing' },
  ...{ templateName: 'aviso', language: 'pt_BR', templateType: 'TEXT', body: 'Oi, {{1}}!' },
}
const CHANNEL = { id: 'c1', type: 'whatsapp_gupshup', fields: {} } as unknown as ProviderChannel

const USER = '5511999990000'
const send = async (
  fields: JsonObject | undefined,
  { user = USER, stopped = false, values = { 1: 'Ana' } as Readonly<Record<string, string>> } = {},
) => {
  const sent: unknown[] = []
  const deliver = openPersonTemplates({
    commands: { openFields: async () => fields },
    senders: {
      open: async () => ({
        ...{ number: 'n', portfolio: 'n', account: {}, isSimulated: false },
        sender: {
          ...{ provider: 'whatsapp_gupshup', settles: false },
          async send(message, to, key) {
            sent.push([message.body, to, key])
            return { kind: 'accepted', id: 'g1', isHeld: false }
          },
        },
      }),
    },
    isStopped: async () => stopped,
  })
  return { outcome: await deliver(CHANNEL, { id: user }, { id: 't', values }, 'k.1.0'), sent }
}

test('goes to the number of the person with its values [P-2510]', async () => {
  expect(await send(FIELDS)).toEqual({
    outcome: { kind: 'sent', id: 'g1' },
    sent: [[[{ name: '1', text: 'Ana' }], '+5511999990000', 'k.1.0']],
  })
})

test.each([
  ['of another channel', { ...FIELDS, channel: 'c2' }, 'template'],
  ['that is not approved', { ...FIELDS, status: 'REJECTED' }, 'template'],
  ['that was removed', undefined, 'template'],
])('a template %s is not sent [P-2510]', async (_which, fields, code) => {
  expect(await send(fields)).toEqual({ outcome: { kind: 'final', code }, sent: [] })
})

test('refuses an opted-out person and a person without a number [P-2510]', async () => {
  expect(await send(FIELDS, { stopped: true })).toEqual({ outcome: { kind: 'final', code: 'optout' }, sent: [] })
  expect(await send(FIELDS, { user: 'BR.abc' })).toEqual({ outcome: { kind: 'final', code: 'recipient' }, sent: [] })
})

test.each([{ 1: 'Ana' }, { 1: 'Ana', 2: '' }, { 1: 'Ana', 2: ' ' }])(
  'refuses a template with an empty value: %o [P-2511]',
  async values => {
    expect(await send({ ...FIELDS, body: 'Oi, {{1}}! Código {{2}}' }, { values })).toEqual({
      outcome: { kind: 'final', code: 'template.values' },
      sent: [],
    })
  },
)

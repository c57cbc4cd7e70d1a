import { expect, test } from 'vitest'
import type { Notification } from '#projections/port.ts'
import { SYSTEM_SCOPE } from '#projections/scope.ts'
import en from '#schemas/locales/en/shell.json' with { type: 'json' }
import { withTexts } from './notification.ts'

const read = { names: async () => ({ channel: { c1: 'Loja' } }) } as unknown as Parameters<typeof withTexts>[0]
const textOf = async (message: string, params: Notification['params']): Promise<string | undefined> => {
  const item = { message, params, entity: 'channel', entityid: 'c1' } as unknown as Notification
  return (await withTexts(read, SYSTEM_SCOPE, [item], 'en'))[0]?.text
}

test('texts of notifications have all their values [P-2212]', async () => {
  expect(await textOf('channel.unrouted', { number: '+5511987650001' })).toBe(
    'Messages arrive for +5511987650001, which no channel has',
  )
  expect(await textOf('channel.token', { detail: '1' })).toBe('The token of Loja ends soon. Days left: 1')
  for (const [subject, verbs] of Object.entries(en.bell.message))
    for (const verb of Object.keys(verbs)) expect(await textOf(`${subject}.${verb}`, {})).not.toContain('{{')
})

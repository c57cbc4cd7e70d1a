import { afterAll, beforeAll, expect, test } from 'vitest'
import { createCall } from '#runtime/outbound/call.ts'
import { type ForgingProvider, startForgingProvider } from '#test/doubles/oidc/forging-provider.ts'
import type { Parts } from '../port.ts'
import { openProviders } from './identity-providers.ts'

let double: ForgingProvider
beforeAll(async () => {
  double = await startForgingProvider()
})
afterAll(() => double.close())

test('a provider of the settings may be at a private address, one of the console may not [P-2544]', async () => {
  const row = { id: 'console', name: 'Console', enable: true }
  const providers = openProviders({
    settings: { OIDC_ISSUER: double.issuer, OIDC_CLIENT_ID: 'parley' },
    read: { detail: async () => row },
    commands: { openFields: async () => ({ issuer: double.issuer, client_id: 'parley' }) },
    call: createCall({ allowPrivate: false }),
    log: { warn: () => undefined },
  } as unknown as Parts)
  const begin = async (id: string) => {
    const provider = await providers.find(id)
    return provider?.client.begin(provider.registration, 'http://127.0.0.1/callback')
  }
  expect(await begin('settings')).toMatchObject({ ok: true })
  expect(await begin('console')).toMatchObject({ refusal: { params: { reason: 'outbound.private' } } })
})

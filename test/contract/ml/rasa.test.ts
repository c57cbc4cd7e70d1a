import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { MlServer } from '#test/doubles/ml/ml-server.ts'
import { RASA_TOKEN, startRasaServer } from '#test/doubles/ml/rasa-server.ts'
import { mlContract, openedMl } from './contract.ts'

const CONFIRM = {
  text: 'Confirma?',
  options: [
    { title: 'Sim', value: '/affirm{"document":"boleto"}' },
    { title: 'Nao', value: '/deny' },
    { title: 'Ver', value: 'https://a.example/', url: 'https://a.example/' },
  ],
}

mlContract({
  type: 'rasa',
  start: () => startRasaServer(),
  fields: ({ url }) => ({
    url: `${url}/`,
    channel_password: RASA_TOKEN,
    custom_action_endpoint: `${url}/webhook`,
    model_server: `${url}/models`,
  }),
  wrongKey: ({ url }) => ({ url, channel_password: 'another-token' }),
  answer: {
    texts: [CONFIRM],
    intent: 'second_invoice',
    entity: { name: 'document', value: 'boleto', confidence: 0.99 },
  },
  unknown: ['Hey Rasa!', 'http://example.com/image.jpg'],
  calls: { first: 2, next: 2 },
  chosen: ['/affirm{"document":"boleto"}', '/affirm{"document":"boleto"}', '/deny', '/deny'],
  messageOf: ({ message, text }) => message ?? text,
  understands: true,
  sessionsOf: ({ calls }) =>
    calls.filter(({ path }) => path.endsWith('/webhook')).map(({ body }) => String(JSON.parse(body).sender)),
})

describe('Rasa', () => {
  let server: MlServer
  beforeEach(async () => {
    server = await startRasaServer()
  })
  afterEach(() => server.close())
  const ready = () =>
    openedMl({ type: 'rasa', fields: { url: server.url, channel_password: RASA_TOKEN }, url: server.url })

  test('receives no intent when a user writes its name [P-947]', async () => {
    const ml = ready()
    await ml.send(' //second_invoice{"document":"boleto"}')
    expect(server.calls.map(({ body }) => JSON.parse(body))).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ message: 'second_invoice{"document":"boleto"}' }),
        { text: 'second_invoice{"document":"boleto"}' },
      ]),
    )
    expect(await ml.send('/')).toMatchObject({ ok: true, value: { texts: [] } })
    expect(server.calls).toHaveLength(2)
  })

  test('answers without its HTTP API as well, then without intents [P-947]', async () => {
    const answering = await startRasaServer({ hasApi: false })
    const fields = { url: answering.url, channel_password: RASA_TOKEN }
    const ml = openedMl({ type: 'rasa', fields, url: answering.url })
    const texts = [CONFIRM]
    expect(await ml.send('quero o boleto')).toMatchObject({ ok: true, value: { texts, intents: [], entities: [] } })
    await answering.close()
  })
})

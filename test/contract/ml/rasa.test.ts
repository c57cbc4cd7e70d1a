import { RASA_TOKEN, startRasaServer } from '#test/doubles/ml/rasa-server.ts'
import { mlContract } from './contract.ts'

mlContract({
  type: 'rasa',
  start: startRasaServer,
  fields: ({ url }) => ({
    url: `${url}/`,
    channel_password: RASA_TOKEN,
    custom_action_endpoint: `${url}/webhook`,
    model_server: `${url}/models`,
  }),
  wrongKey: ({ url }) => ({ url, channel_password: 'another-token' }),
  answer: {
    texts: ['Confirma?\n- Sim\n- Nao'],
    intent: 'second_invoice',
    entity: { name: 'document', value: 'boleto', confidence: 0.99 },
  },
  unknown: ['Hey Rasa!', 'http://example.com/image.jpg'],
  calls: { first: 2, next: 2 },
  understands: true,
  sessionsOf: ({ calls }) =>
    calls.filter(({ path }) => path.endsWith('/webhook')).map(({ body }) => String(JSON.parse(body).sender)),
})

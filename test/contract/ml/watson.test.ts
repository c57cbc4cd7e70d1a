import { expect, test } from 'vitest'
import type { JsonObject } from '#schemas/event.ts'
import type { MlServer } from '#test/doubles/ml/ml-server.ts'
import { ASSISTANT, SUGGESTION, startWatsonServer, WATSON_KEY, watsonUrl } from '#test/doubles/ml/watson-server.ts'
import { codeOf, mlContract, openedMl } from './contract.ts'

const CLOUD = 'https://api.us-south.assistant.watson.cloud.ibm.com'
const WANTED = { return_context: true, alternate_intents: true }
const common = {
  type: 'watson',
  answer: {
    texts: [
      'Claro',
      {
        text: 'Qual documento?',
        options: [
          { title: 'Boleto', value: 'boleto' },
          { title: 'Nota', value: 'nota' },
        ],
      },
      'https://example.com/a.png',
      'Vou transferir',
    ],
    intent: 'second_invoice',
    entity: { name: 'document', value: 'boleto', confidence: 1 },
  },
  unknown: [{ text: 'Voce quis dizer:', options: [{ title: 'Segunda via', value: JSON.stringify(SUGGESTION) }] }],
  chosen: [
    { message_type: 'text', text: 'boleto', options: WANTED },
    { message_type: 'text', text: 'nota', options: WANTED },
    { ...SUGGESTION, options: { ...SUGGESTION.options, ...WANTED } },
  ],
  messageOf: ({ input }: JsonObject) => input,
  understands: true,
  sessionsOf: ({ calls }: MlServer) =>
    calls.flatMap(({ path }) => /\/sessions\/([^/]+)\/message$/u.exec(path)?.slice(1, 2) ?? []),
}
const given = { channel_id: ASSISTANT, extradetails: '2024-08-25', channel_authentication_details: WATSON_KEY }

mlContract({
  ...common,
  start: () => startWatsonServer(true),
  hosts: ['https://iam.cloud.ibm.com', CLOUD],
  fields: () => ({ ...given, url: watsonUrl(CLOUD) }),
  wrongKey: () => ({ ...given, url: watsonUrl(CLOUD), channel_authentication_details: 'another-key' }),
  calls: { first: 3, next: 1 },
})

mlContract({
  ...common,
  start: () => startWatsonServer(false),
  fields: ({ url }) => ({ ...given, url: watsonUrl(url) }),
  wrongKey: ({ url }) => ({ ...given, url: watsonUrl(url), channel_authentication_details: 'another-key' }),
  calls: { first: 2, next: 1 },
})

test('Watson: renews an ended session and a refused token, once each [P-949]', async () => {
  const server = await startWatsonServer(true)
  const hosts = ['https://iam.cloud.ibm.com', CLOUD]
  const ml = openedMl({ type: 'watson', fields: { ...given, url: watsonUrl(CLOUD) }, url: server.url, hosts })
  expect(codeOf(await ml.send('quero o boleto'))).toBe('ok')
  server.endSessions()
  expect(codeOf(await ml.send('quero o boleto'))).toBe('ok')
  server.revoke()
  expect(codeOf(await ml.send('quero o boleto'))).toBe('ok')
  const steps = server.calls.map(({ path }) => path.split('/').at(-1))
  const talk = ['sessions', 'message']
  expect(steps).toEqual(['token', ...talk, 'message', ...talk, 'message', 'token', 'message'])
  await server.close()
})

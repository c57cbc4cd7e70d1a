import { expect, test } from 'vitest'
import { LANGFLOW_KEY, startLangflowServer } from '#test/doubles/ml/langflow-server.ts'
import { mlContract, openedMl } from './contract.ts'

const given = { channel_id: 'boletos', tweaks: { 'OpenAIModel-1': { temperature: 0 } } }

mlContract({
  type: 'langflow',
  start: startLangflowServer,
  fields: ({ url }) => ({ ...given, url, channel_password: LANGFLOW_KEY }),
  wrongKey: ({ url }) => ({ ...given, url, channel_password: 'another-key' }),
  answer: { texts: ['Sure! It is on its way.'], intent: null },
  unknown: ['Hello!'],
  calls: { first: 1, next: 1 },
  understands: false,
  sessionsOf: ({ calls }) => calls.map(({ body }) => String(JSON.parse(body).session_id)),
})

test('Langflow: the text is found wherever a flow puts it [P-950]', async () => {
  const server = await startLangflowServer()
  const fields = { ...given, url: server.url, channel_password: LANGFLOW_KEY }
  const ml = openedMl({ type: 'langflow', fields, url: server.url })
  for (const place of ['text', 'data', 'artifacts', 'messages'])
    expect(await ml.send(place), place).toMatchObject({ ok: true, value: { texts: ['Hello!'], intents: [] } })
  await server.close()
})

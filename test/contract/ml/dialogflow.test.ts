import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { JsonObject } from '#schemas/event.ts'
import {
  CX_AGENT,
  REVOKED_ACCOUNT,
  SERVICE_ACCOUNT,
  startDialogflowServer,
} from '#test/doubles/ml/dialogflow-server.ts'
import type { MlServer } from '#test/doubles/ml/ml-server.ts'
import { codeOf, mlContract, openedMl } from './contract.ts'

const sessionsOf = ({ calls }: MlServer) =>
  calls.flatMap(({ path }) => /\/sessions\/([^/:]+):detectIntent$/u.exec(path)?.slice(1, 2) ?? [])
const entity = { name: 'document', value: 'boleto' }
const common = {
  type: 'dialogflow',
  start: startDialogflowServer,
  calls: { first: 2, next: 1 },
  understands: true,
  sessionsOf,
}
const es = { extradetails: 'ES', channel_id: 'example-bot' }
const cx = { extradetails: 'CX', channel_id: CX_AGENT }

mlContract({
  ...common,
  hosts: ['https://oauth2.googleapis.com', 'https://dialogflow.googleapis.com'],
  fields: () => ({ ...es, channel_authentication_details: SERVICE_ACCOUNT }),
  wrongKey: () => ({ ...es, channel_authentication_details: REVOKED_ACCOUNT }),
  answer: {
    texts: [
      'Claro',
      {
        text: 'Qual documento?',
        options: [
          { title: 'Boleto', value: 'Boleto' },
          { title: 'Nota', value: 'Nota' },
        ],
      },
      {
        text: 'Fatura\nMaio',
        options: [
          { title: 'Pagar', value: 'quero pagar' },
          { title: 'Abrir', value: 'https://a.example/', url: 'https://a.example/' },
          { title: 'Ajuda', value: '{"event":{"name":"HELP","parameters":{"about":"boleto"}}}' },
        ],
      },
    ],
    intent: 'second_invoice',
    entity,
  },
  chosen: [
    ...['Boleto', 'Nota', 'quero pagar'].map(text => ({ text: { text, languageCode: 'pt-BR' } })),
    { event: { name: 'HELP', languageCode: 'pt-BR', parameters: { about: 'boleto' } } },
  ],
  messageOf: ({ queryInput }: JsonObject) => queryInput,
  unknown: ['Nao entendi'],
})

mlContract({
  ...common,
  hosts: ['https://oauth2.googleapis.com', 'https://us-central1-dialogflow.googleapis.com'],
  fields: () => ({ ...cx, channel_authentication_details: SERVICE_ACCOUNT }),
  wrongKey: () => ({ ...cx, channel_authentication_details: REVOKED_ACCOUNT }),
  answer: {
    texts: [
      {
        text: 'Claro, um momento',
        options: [
          { title: 'Boleto', value: 'Boleto' },
          { title: 'Nota', value: 'Nota' },
          { title: 'Ajuda', value: '{"event":{"event":"HELP","parameters":{"about":"boleto"}}}' },
        ],
      },
    ],
    intent: 'second_invoice',
    entity,
  },
  chosen: [
    ...['Boleto', 'Nota'].map(text => ({ queryInput: { text: { text }, languageCode: 'pt-BR' } })),
    {
      queryInput: { event: { event: 'HELP' }, languageCode: 'pt-BR' },
      queryParams: { parameters: { about: 'boleto' } },
    },
  ],
  messageOf: (body: JsonObject) => body,
  unknown: ['Nao entendi'],
})

describe('Dialogflow', () => {
  let server: Awaited<ReturnType<typeof startDialogflowServer>>
  beforeEach(async () => {
    server = await startDialogflowServer()
  })
  afterEach(() => server.close())
  const HOSTS = ['https://oauth2.googleapis.com', 'https://dialogflow.googleapis.com']
  const ready = (account = SERVICE_ACCOUNT) =>
    openedMl({
      type: 'dialogflow',
      fields: { ...es, channel_authentication_details: account },
      url: server.url,
      hosts: HOSTS,
    })
  const pathsOf = () => server.calls.map(({ path }) => path.split('/').at(-1))

  test('gets another token once when one is refused, and one for many calls at a time [P-948]', async () => {
    const ml = ready()
    await Promise.all([ml.send('quero o boleto', 'a'), ml.send('quero o boleto', 'b')])
    expect(pathsOf()).toEqual(['token', 'a:detectIntent', 'b:detectIntent'])
    server.revoke()
    expect(codeOf(await ml.send('quero o boleto', 'a'))).toBe('ok')
    expect(pathsOf().slice(3)).toEqual(['a:detectIntent', 'token', 'a:detectIntent'])
  })

  test('cuts texts and names of conversations to what Google takes [P-948]', async () => {
    expect(codeOf(await ready().send(`boleto ${'😀'.repeat(300)}`, 'c'.repeat(80)))).toBe('ok')
  })

  test('is not called with a key that signs nothing [P-948]', async () => {
    const account = {
      client_email: 'a@b.example',
      private_key: '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n',
    }
    expect(codeOf(await ready(JSON.stringify(account)).send('oi'))).toBe('ml.credentials')
    expect(codeOf(await ready(REVOKED_ACCOUNT).send('oi'))).toBe('ml.unauthorized')
    expect(pathsOf()).toEqual(['token'])
  })
})

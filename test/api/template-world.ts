import { createHmac } from 'node:crypto'
import { expect } from 'vitest'
import {
  APP_ID,
  APP_SECRET,
  GRAPH_TOKEN,
  type GraphServer,
  PHONE_ID,
  startGraphServer,
  WABA_ID,
} from '#test/doubles/meta/graph-server.ts'
import { type Client, discard } from './harness.ts'
import { type HostedParley, openParley } from './open-parley.ts'

export const PROMO = {
  language: 'pt_BR',
  category: 'marketing',
  header: 'Semana da Luz',
  body: 'Oi, {{1}}! Separamos peças a partir de {{2}} para você.',
  params: [
    { name: '1', example: 'Luana' },
    { name: '2', example: 'R$ 189' },
  ],
  footer: 'Responda SAIR para não receber',
  buttons: [
    { type: 'QUICK_REPLY', text: 'Quero' },
    { type: 'URL', text: 'Ver', url: 'https://loja.example/{{1}}', example: 'https://loja.example/a' },
  ],
}

/** Fields that differ from those of `PROMO`. */
export const ORDER = {
  category: 'utility',
  header: null,
  body: 'Oi, {{1}}! Seu pedido {{2}} chegou.',
  params: [
    { name: '1', example: 'Ana' },
    { name: '2', example: 'A1' },
  ],
  footer: null,
  buttons: [{ type: 'QUICK_REPLY', text: 'Obrigada' }],
}

export interface TemplateWorld {
  readonly parley: HostedParley
  readonly admin: Client
  readonly graph: GraphServer
  readonly app: string
  readonly account: string
  /** Creates something and answers its id. */
  made(path: string, body: object): Promise<string>
  /** A template with a unique name. */
  draft(fields?: object): Promise<string>
  read(id: string): Promise<Record<string, unknown>>
  /** Submits a template and answers it once that has ended. */
  submitted(id: string): Promise<Record<string, unknown>>
  close(): Promise<void>
}

/** A gateway whose account is reached at a double of the Graph API. */
export const startTemplateWorld = async (): Promise<TemplateWorld> => {
  const graph = await startGraphServer()
  const env = { PARLEY_SAMPLE: 'off', ALLOW_PRIVATE_ADDRESSES: 'true', GRAPH_URL: `${graph.url}/v23.0` }
  const parley = await openParley({ env })
  const admin = await parley.signIn()
  const made: TemplateWorld['made'] = async (path, body) => {
    const { status, text, body: answer } = await admin.post(path, body)
    expect(status, text).toBe(201)
    return answer.id
  }
  const app = await made('/metaapp', { name: 'Lume', app_id: APP_ID, app_client_secret: APP_SECRET })
  const given = { metaapp: app, waba_id: WABA_ID, phone_number_id: PHONE_ID, access_token: GRAPH_TOKEN }
  const account = await made('/metaaccount', { ...given, name: 'Casa Lume' })
  let number = 0
  const read: TemplateWorld['read'] = async id => (await admin.get(`/template/${id}`)).body
  return {
    parley,
    admin,
    graph,
    app,
    account,
    made,
    read,
    draft: (fields = {}) => {
      number += 1
      return made('/template', { metaaccount: account, templateName: `promo_${number}`, ...PROMO, ...fields })
    },
    async submitted(id) {
      const { status, text } = await admin.post(`/template/${id}/submit`, {})
      expect(status, text).toBe(200)
      for (let tries = 0; tries < 400; tries += 1) {
        const row = await read(id)
        if (row.submission !== 'submitting') return row
        await new Promise(resolve => setTimeout(resolve, 50))
      }
      throw new Error('still being submitted')
    },
    async close() {
      await graph.close()
      await discard(parley)
    },
  }
}

/** A signed call from Meta to the app's webhook. */
export const callHook = async (world: TemplateWorld, value: object, field = 'messages') => {
  const metadata = { display_phone_number: '551198765', phone_number_id: PHONE_ID }
  const change = { field, value: { messaging_product: 'whatsapp', metadata, ...value } }
  const body = JSON.stringify({ object: 'whatsapp_business_account', entry: [{ id: WABA_ID, changes: [change] }] })
  const signature = `sha256=${createHmac('sha256', APP_SECRET).update(body).digest('hex')}`
  const headers = { 'content-type': 'application/json', 'x-hub-signature-256': signature }
  const url = `${world.parley.origin}/meta/${world.app}/webhook`
  const { status } = await fetch(url, { method: 'POST', headers, body })
  expect(status).toBe(200)
}

import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { endedUpload, sendFile } from '../api/contact-file.ts'
import { type Client, discard, NODE, startParley } from '../api/harness.ts'
import {
  APP_ID,
  APP_SECRET,
  GRAPH_TOKEN,
  type GraphServer,
  PHONE_ID,
  startGraphServer,
  WABA_ID,
} from '../doubles/meta/graph-server.ts'
import { type Figure, rounded } from './figure.ts'
import { processorTime } from './processor-time.ts'

/** Rows of a file of one megabyte. */
const FILE_ROWS = 15_000
const RUN = '00000000-0000-8000-a000-000000000001'
const MIN_IMPORTED = 5000
const MAX_REVIEW_S = 3
const MIN_SENT = 800
/** A campaign that is not sent within this time has failed, ms. */
const LONG_MS = 1_200_000

const fileOf = (from: number, count: number): string => {
  const lines = Array.from({ length: count }, (_, at) => `Pessoa ${from + at};11 9${80_000_000 + from + at};Clínica`)
  return `nome;telefone;field01\n${lines.join('\n')}\n`
}

/** An approved template with two variables, and a campaign that sends it. */
const openCampaign = async (admin: Client): Promise<string> => {
  const app = await admin.create('metaapp', { name: 'Lume', app_id: APP_ID, app_client_secret: APP_SECRET })
  const number = { waba_id: WABA_ID, phone_number_id: PHONE_ID, access_token: GRAPH_TOKEN }
  const metaaccount = await admin.create('metaaccount', { metaapp: app, ...number, name: 'Casa Lume' })
  const template = await admin.create('template', {
    ...{ metaaccount, templateName: 'aviso', language: 'pt_BR', category: 'utility' },
    ...{ body: 'Oi, {{1}}! Chegou em {{2}}.' },
    params: ['1', '2'].map(name => ({ name, example: 'Ana' })),
  })
  await admin.post(`/template/${template}/submit`, {})
  while ((await admin.get(`/template/${template}`)).body.submission === 'submitting') await pause(50)
  const mapping = [
    { variable: '1', source: 'nome', default: 'cliente' },
    { variable: '2', source: 'field01', default: 'loja' },
  ]
  return admin.create('campaign', { name: 'grande', template, metaaccount, mapping })
}

const imported = async (admin: Client, campaign: string, people: number): Promise<void> => {
  const profile = await admin.create('campaignuploadprofile', { name: 'grande', campaign_id: campaign })
  for (let from = 0; from < people; from += FILE_ROWS) {
    const count = Math.min(FILE_ROWS, people - from)
    const sent = await sendFile(admin, `/campaignuploadprofile/${profile}/upload`, fileOf(from, count))
    if (sent.status !== 202) throw new Error(sent.text)
    const { status, added } = await endedUpload(admin, sent.body.id, LONG_MS)
    if (status !== 'succeeded' || added !== count) throw new Error(`the upload ${status} with ${added} contacts`)
  }
}

const reviewed = async (admin: Client, campaign: string, people: number): Promise<void> => {
  let { body } = await admin.get(`/campaign/${campaign}/review`)
  while (body.progress !== null) {
    await pause(50)
    ;({ body } = await admin.get(`/campaign/${campaign}/review?job=${body.job}`))
  }
  if (body.total !== people) throw new Error(`${body.total} people are reviewed`)
}

/** Contacts that a gateway imports and reviews. */
const contacts = async (graph: GraphServer, people: number): Promise<readonly Figure[]> => {
  const env = { ALLOW_PRIVATE_ADDRESSES: 'true', GRAPH_URL: `${graph.url}/v23.0` }
  const parley = await startParley({ env })
  try {
    const admin = await parley.signIn()
    const campaign = await openCampaign(admin)
    const measure = async (work: () => Promise<void>) => {
      const [before, began] = [processorTime(parley.pid), performance.now()]
      await work()
      const seconds = (performance.now() - began) / 1000
      return { seconds, cpu: ((processorTime(parley.pid) - before) * 1000) / people }
    }
    const taken = await measure(() => imported(admin, campaign, people))
    const seen = await measure(() => reviewed(admin, campaign, people))
    const rate = Math.round(people / taken.seconds)
    return [
      {
        id: 'P13',
        what: `${people} contacts imported from files of 1 MB`,
        measured: `${rate}/s (processor ${rounded(taken.cpu, 0)} µs a contact)`,
        target: `≥ ${MIN_IMPORTED}/s`,
        met: rate >= MIN_IMPORTED,
        detail: { people, ...taken },
      },
      {
        id: 'P13',
        what: `review of ${people} recipients`,
        measured: `${rounded(seen.seconds)} s (processor ${rounded(seen.cpu, 0)} µs a recipient)`,
        target: `≤ ${MAX_REVIEW_S} s`,
        met: seen.seconds <= MAX_REVIEW_S,
        detail: { people, ...seen },
      },
    ]
  } finally {
    await discard(parley)
  }
}

/** Messages of one number without a limit of its rate. */
const sent = async (graph: GraphServer, people: number): Promise<Figure> => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-bench-campaign-'))
  const script = join(import.meta.dirname, '../fault/campaign-node.ts')
  const child = spawn(NODE, [script, graph.url, folder, String(people), RUN, 'planned', '', ''], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, PARLEY_UNPACED: '1' },
  })
  const gone = new Promise<void>(resolve => child.once('exit', () => resolve()))
  while (graph.accepted.length === 0 && child.exitCode === null) await pause(5)
  const [before, began, first] = [processorTime(child.pid ?? 0), performance.now(), graph.accepted.length]
  while (graph.accepted.length < people && child.exitCode === null) await pause(5)
  const seconds = (performance.now() - began) / 1000
  const cpu = child.exitCode === null ? ((processorTime(child.pid ?? 0) - before) * 1000) / people : Number.NaN
  await gone
  rmSync(folder, { recursive: true, force: true })
  const numbers = new Set(graph.accepted.map(({ to }) => to))
  if (numbers.size !== people || graph.accepted.length !== people) throw new Error(`${numbers.size} people got it`)
  const rate = Math.round((people - first) / seconds)
  return {
    id: 'P13',
    what: `${people} messages to a double of Meta, without a limit of the number's rate`,
    measured: `${rate}/s (processor ${rounded(cpu, 0)} µs a message)`,
    target: `≥ ${MIN_SENT}/s`,
    met: rate >= MIN_SENT,
    detail: { people, seconds, cpu },
  }
}

/** P13: imports, reviews and sends of campaigns. */
export const campaigns = async ({ people }: { readonly people: number }): Promise<readonly Figure[]> => {
  const graph = await startGraphServer()
  graph.nextStatus = 'APPROVED'
  try {
    return [...(await contacts(graph, people)), await sent(graph, people)]
  } finally {
    await graph.close()
  }
}

import { hash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Commands } from '#commands/command-handler.ts'
import { openEmbeddedStore } from '#commands/store/embedded/open-embedded-store.ts'
import { type CampaignFacts, campaignBehaviour } from '#domain/campaign/behaviour.ts'
import { DEFAULT_OPT_OUT } from '#domain/campaign/opt-out.ts'
import {
  type OpenedContact,
  type PersonDigests,
  personDigests,
  type SuppressionScope,
  storedDigests,
} from '#runtime/campaign/audience/audience.ts'
import { OptOuts } from '#runtime/campaign/optout/opt-outs.ts'
import type { CampaignAudience, SendingParts } from '#runtime/campaign/run/campaign-port.ts'
import { Receipts } from '#runtime/campaign/run/receipts.ts'
import { RunDriver } from '#runtime/campaign/run/run-driver.ts'
import { RunIndex } from '#runtime/campaign/run/run-index.ts'
import { TokenBucket } from '#runtime/campaign/run/send-rate.ts'
import { sumsOf } from '#runtime/campaign/run/statistics.ts'
import type { ProviderChannel } from '#runtime/channel/open-channels.ts'
import { openTemplateSenders } from '#runtime/channel/template/open-senders.ts'
import { openTemplateMedia } from '#runtime/channel/template/template-media.ts'
import { type Call, createCall } from '#runtime/outbound/call.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { RUN_PREFIXES } from '#schemas/events/campaign.ts'
import { APP_SECRET, GRAPH_TOKEN, PHONE_ID, WABA_ID } from '#test/doubles/meta/graph-server.ts'

export const CAMPAIGN = 'c1'
const hmac = (text: string): string => hash('sha256', text).slice(0, 22)
const phoneHmac = (phone: string): string => hmac(`phone ${phone.replace('+', '')}`)

export const phoneAt = (at: number): string => `+5511${String(910_000_000 + at)}`

/** People of a campaign who are nowhere but in memory. */
export const audienceOf = (
  people: readonly OpenedContact[],
): CampaignAudience & {
  readonly stopped: Set<string>
  isSuppressed(scope: SuppressionScope, person: PersonDigests): boolean
} => {
  const stopped = new Set<string>()
  const rows = people.map(({ phone }, at) => ({ contact: `p${at}`, phone: phoneHmac(phone) }))
  return {
    stopped,
    hmac: phoneHmac,
    count: async () => rows.length,
    async page(_campaign, after, limit) {
      const found = rows.slice(after, after + limit)
      return { rows: found, next: after + limit < rows.length ? after + limit : undefined }
    },
    open: async (_campaign, contacts) =>
      new Map(
        contacts.flatMap(contact => {
          const found = people[Number(contact.slice(1))]
          return found === undefined ? [] : [[contact, found]]
        }),
      ),
    digestsOf: person => personDigests(hmac, person),
    digestsOfRow: ({ phone }) => storedDigests([phone]),
    isSuppressed: (_scope, person) => person.some(digest => stopped.has(digest)),
    suppressedAmong: (_scope, given) =>
      new Set(given.flatMap((person, place) => (person.some(digest => stopped.has(digest)) ? [place] : []))),
    suppressed: async (_scope, given) => new Set(given.map(({ phone }) => phone).filter(phone => stopped.has(phone))),
    async suppress(_list, person) {
      for (const digest of person) stopped.add(digest)
      return true
    },
  }
}

export interface CampaignWorld {
  readonly parts: SendingParts
  readonly receipts: Receipts
  /** Fields of campaign, template and account, as commands leave them. */
  readonly fields: Record<string, Record<string, Json>>
  readonly audience: ReturnType<typeof audienceOf>
  /** A command of a person; answers the code of a refusal. */
  say(
    action: 'start' | 'pause' | 'resume' | 'cancel' | 'choosewinner' | 'retryfailed' | 'resendunknown',
    input?: JsonObject,
  ): string | undefined
  /** Rules of the fields for which the last command was refused. */
  refused(): readonly string[]
  /** Drives the present run until there is nothing to do. */
  drive(): Promise<void>
  driver(): RunDriver
  figures(): ReturnType<typeof sumsOf>
  close(): Promise<void>
}

interface WorldOptions {
  readonly graphUrl: string
  readonly people: readonly OpenedContact[]
  readonly campaign?: Record<string, Json>
  readonly account?: Record<string, Json>
  readonly folder?: string
  readonly now?: () => number
  /** Channel of a campaign that no account sends. */
  readonly channel?: (id: string) => ProviderChannel | undefined
  /** A run that began before. */
  readonly run?: string
  /** Default: calls to the double of the Graph API. */
  readonly call?: Call
}

const TEMPLATE = {
  metaaccount: 'a1',
  templateName: 'aviso',
  language: 'pt_BR',
  category: 'utility',
  templateType: 'TEXT',
  body: 'Oi, {{1}}! Até já.',
  params: [{ name: '1', example: 'Luana' }],
  status: 'APPROVED',
}

/** Campaign sending with a separate store and the Graph API on the wire; the console is in memory. */
export const openCampaignWorld = async (options: WorldOptions): Promise<CampaignWorld> => {
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'parley-campaign-'))
  mkdirSync(folder, { recursive: true })
  const store = await openEmbeddedStore({ folder })
  const index = new RunIndex(join(folder, 'campaign.sqlite'))
  const failed = (error: unknown) => {
    throw error
  }
  await index.follow(store, { name: 'campaign runs', prefixes: RUN_PREFIXES, failed })
  const mapping = [{ variable: '1', source: 'nome', text: null, default: 'você', format: 'text' }]
  const fields: CampaignWorld['fields'] = {
    campaign: {
      ...{ name: 'natal', enabled: true, template: 't1', metaaccount: 'a1', mapping, window: 'always', rate: 1000 },
      ...{ repeat: 'new', warmup: false, daily_cap: true, timezone: 'America/Sao_Paulo', run_status: null },
      ...options.campaign,
    },
    template: { ...TEMPLATE },
    metaaccount: {
      ...{ metaapp: 'm1', waba_id: WABA_ID, phone_number_id: PHONE_ID, access_token: GRAPH_TOKEN },
      throughput: 'HIGH',
      ...options.account,
    },
    metaapp: { app_client_secret: APP_SECRET },
  }
  const now = options.now ?? Date.now
  let runs = 0
  let rules: readonly string[] = []
  const decide = (action: string, input: JsonObject): string | undefined => {
    runs += 1
    const run = options.run ?? `00000000-0000-8000-a000-${String(runs).padStart(12, '0')}`
    const { template, templateB, metaaccount: account, channel, campaign = {} } = fields
    const facts: CampaignFacts = { run, template, templateB, account, channel }
    const state = { status: 'live', id: CAMPAIGN, revision: 1, level: null, fields: campaign } as const
    const command = campaignBehaviour.commands[action as 'start']
    const decided = command.decide(state, input, { time: new Date(now()).toISOString(), actor: null, facts })
    if (!decided.ok) {
      rules = (decided.refusal.errors ?? []).map(({ params }) => String(params?.rule))
      return decided.refusal.code
    }
    for (const event of decided.value) fields.campaign = { ...fields.campaign, ...event.data.fields }
    return undefined
  }
  const commands = {
    openFields: async (entity: string) => fields[entity],
    execute: async ({ action, input }: { readonly action: string; readonly input: JsonObject }) => {
      const code = decide(action, input)
      return code === undefined ? { ok: true } : { ok: false, refusal: { code } }
    },
  } as unknown as Pick<Commands, 'execute' | 'openFields'>
  const bucket = new TokenBucket(now() - 120_000, 1000)
  const audience = audienceOf(options.people)
  const call = options.call ?? createCall({ allowPrivate: true })
  const sign = (text: string) => hmac(`sign ${text}`)
  const file = { id: 'f1', name: 'a.png', type: 'image/png', size: 3, owner: '' } as const
  const storage = {
    find: async () => file,
    read: async () => ({ file, content: Buffer.from('png') }),
  }
  const baseUrl = () => 'https://bots.example.com'
  const media = openTemplateMedia({ storage, store: async () => store, baseUrl, sign, now: () => now() })
  const senders = openTemplateSenders({
    ...{ call, media, failed, graphUrl: `${options.graphUrl}/v23.0` },
    channels: { get: async id => options.channel?.(id) },
    commands: { openFields: async (entity: string) => fields[entity] },
  })
  const lists = { ofCampaign: async () => ['*'], at: async () => ({ list: '*', setting: DEFAULT_OPT_OUT }) }
  const optOuts = new OptOuts({
    lists: { ...lists, over: async () => ['*'] },
    audience: async () => ({
      ...audience,
      resume: async () => false,
      passed: async () => undefined,
      index: {
        suppressions: { isSuppressed: () => false, sourcesOf: () => [], historyOf: () => [] },
        digestsLike: hash => storedDigests([hash]),
      },
    }),
    runs: async () => index.queries,
    hmac,
  })
  const parts: SendingParts = {
    ...{ store, index, audience, senders, commands, hmac, lists, optOuts, now, failed },
    levelOf: async () => null,
    bucketOf: () => bucket,
  }
  const receipts = new Receipts(parts, 'test')
  const driver = () => new RunDriver(parts, CAMPAIGN, String(fields.campaign?.run), 'test')
  return {
    parts,
    receipts,
    fields,
    audience,
    say: (action, input = {}) => decide(action, input),
    refused: () => rules,
    driver,
    drive: () => driver().drive(),
    figures: () => sumsOf(index.queries.counts({ campaign: CAMPAIGN })),
    async close() {
      await receipts.close()
      await index.close()
      await store.close()
      if (options.folder === undefined) rmSync(folder, { recursive: true, force: true })
    },
  }
}

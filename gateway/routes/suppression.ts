import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { TimeSlicer } from '#commands/time-slicer.ts'
import { openPhones, type PhoneReader } from '#domain/audience/phone.ts'
import { csvRecord } from '#domain/csv/cell.ts'
import type { Row } from '#projections/port.ts'
import { allRows, SYSTEM_SCOPE } from '#projections/scope.ts'
import {
  EVERY_CATEGORY,
  EVERYWHERE,
  holderOf,
  type OptOutEntry,
  type PersonDigests,
} from '#runtime/campaign/audience/audience.ts'
import type { Audiences } from '#runtime/campaign/audience/compose-audience.ts'
import type { StoredAudience } from '#runtime/campaign/audience/open-audience.ts'
import { BY_HAND, openOptOutLists } from '#runtime/campaign/optout/opt-outs.ts'
import type { suppressionEntrySchema } from '#schemas/api/audience.ts'
import type { JsonObject } from '#schemas/event.ts'
import { accepted, refused } from '#schemas/refusal.ts'
import { handle } from '../http/handle.ts'
import type { Parts } from '../port.ts'
import { refuse } from '../problem.ts'
import { requireStillPermitted, runWrite, sessionOf } from './command.ts'

type ShownEntry = z.output<typeof suppressionEntrySchema>

interface NamedEntry {
  readonly entry: ShownEntry
  /** E.164; empty: the number is no contact that the caller may read. */
  readonly phone: string
}

const LAST_DIGITS = 4

/** Reads the contacts, campaigns and channels of entries as far as the caller may see them. */
const entryReader = (parts: Parts, audience: StoredAudience, request: FastifyRequest) => {
  const { scope, caller } = sessionOf(request)
  const found = new Map<string, Promise<Row | undefined>>()
  const detail = (entity: string, id: string): Promise<Row | undefined> => {
    const key = `${entity} ${id}`
    const known = found.get(key) ?? parts.read.detail(scope, entity, id)
    found.set(key, known)
    return known
  }
  const nameOf = (row: Row | undefined): string => String(row?.name ?? '')

  const contactOf = async (entry: OptOutEntry) => {
    if (!caller.permits('readcontact')) return undefined
    let known: { readonly phone: string; readonly name: string } | undefined
    for (const member of audience.index.membersOf(entry)) {
      const holder = holderOf(member.audience)
      const seen = (await detail('campaign', holder)) ?? (await detail('contactlist', holder))
      if (seen === undefined) continue
      const [opened] = await audience.openMembers(member.audience, [member])
      if (opened?.opened === undefined) continue
      const { phone, nome } = opened.opened
      known ??= { phone, name: nome }
      if (nome !== '') return { phone, name: nome }
    }
    return known
  }

  const campaignOf = async ({ campaign = '' }: OptOutEntry): Promise<ShownEntry['campaign']> => {
    const row = campaign === '' || !caller.permits('readcampaign') ? undefined : await detail('campaign', campaign)
    return row === undefined ? null : { id: campaign, name: nameOf(row) }
  }

  const channelOf = async ({ channel = '', bot = '', account = '' }: OptOutEntry): Promise<ShownEntry['channel']> => {
    const row = channel === '' ? undefined : await detail('channel', channel)
    if (row !== undefined) {
      const ofBot = nameOf(await detail('bot', String(row.bot)))
      return { type: String(row.type), name: nameOf(row), bot: ofBot }
    }
    const given = account === '' ? undefined : await detail('metaaccount', account)
    if (given !== undefined) return { type: 'metaaccount', name: nameOf(given), bot: '' }
    const ofBot = bot === '' ? undefined : await detail('bot', bot)
    return ofBot === undefined ? null : { type: '', name: '', bot: nameOf(ofBot) }
  }

  return async (entry: OptOutEntry): Promise<NamedEntry> => {
    const { kind, list, category, source, rule, reason, actor, time, isActive, word = '' } = entry
    const contact = await contactOf(entry)
    const { phone = '', name = '' } = contact ?? {}
    return {
      phone,
      entry: {
        ...{ kind, category, source, rule, reason, time, word, user: actor, active: isActive },
        hierarchylevel: list === EVERYWHERE ? null : list,
        name,
        ends: phone.slice(-LAST_DIGITS),
        campaign: await campaignOf(entry),
        channel: await channelOf(entry),
      },
    }
  }
}

interface SuppressionParts {
  readonly parts: Parts
  readonly audiences: Audiences
}

/** A level of the caller, with the lists that hold for it. */
interface Place {
  readonly level: string
  /** List of the level itself. */
  readonly own: string
  readonly over: readonly string[]
  /** Of these lists, the ones whose level the caller reaches. */
  readonly reached: readonly string[]
  readonly audience: StoredAudience
  readonly readPhone: PhoneReader
}

const MARKETING = 'marketing'

const placeOf = async (
  { parts, audiences }: SuppressionParts,
  request: FastifyRequest,
  reply: FastifyReply,
  given: string | undefined,
): Promise<Place | undefined> => {
  const { caller } = sessionOf(request)
  const level = given ?? caller.level
  const over = caller.subtree.has(level) ? await openOptOutLists(parts.read).over(level) : []
  const [, root] = over
  if (root === undefined) {
    await refuse(reply, { code: 'entity.notfound' })
    return undefined
  }
  // The list of the root is that of the whole installation.
  const own = level === root ? EVERYWHERE : level
  // Lists of accounts are from before lists belonged to levels.
  const rows = await allRows(parts.read, SYSTEM_SCOPE, 'metaaccount')
  const accounts = rows.filter(row => over.includes(row.hierarchylevel ?? root)).map(({ id }) => id)
  const levels = over.filter(list => caller.subtree.has(list === EVERYWHERE ? root : list))
  const reached = [
    ...levels,
    ...rows.filter(({ hierarchylevel }) => levels.includes(hierarchylevel ?? root)).map(({ id }) => id),
  ]
  return {
    level,
    own,
    reached,
    over: [...over, ...accounts],
    audience: await audiences.begun(),
    readPhone: await openPhones(),
  }
}

const numberOf = (text: string, { readPhone }: Place) => {
  const reading = readPhone(text)
  if (reading.ok) return accepted(reading.phone.e164)
  const error = { path: 'phone', code: 'format', params: { rule: `contactphone${reading.fault}` } } as const
  return refused('validation.failed', { errors: [error] })
}

/** An audit line of a change to a list. It names no number. */
const tell = (
  { parts }: SuppressionParts,
  request: FastifyRequest,
  { level }: Place,
  type: 'NumberSuppressed' | 'NumberResumed' | 'NumbersImported' | 'NumbersExported',
  fields: JsonObject,
) =>
  parts.record.suppressionChanged({ caller: sessionOf(request).caller, correlation: request.id, level, type, fields })

function addReads(app: FastifyInstance, given: SuppressionParts): void {
  const config = { permission: 'readsuppression' }
  handle(app, 'GET /suppression', config, async (request, reply) => {
    const { hierarchylevel, page, size } = request.query
    const place = await placeOf(given, request, reply, hierarchylevel)
    if (place === undefined) return reply
    const { suppressions } = place.audience.index
    const bysource = suppressions.countsBySource(place.over)
    const read = entryReader(given.parts, place.audience, request)
    const items = []
    for (const entry of suppressions.entries(place.over, (page - 1) * size, size)) items.push((await read(entry)).entry)
    return {
      items,
      total: bysource.reduce((sum, { count }) => sum + count, 0),
      bysource,
    }
  })

  handle(app, 'POST /suppression/search', { ...config, effect: 'reads' }, async (request, reply) => {
    const place = await placeOf(given, request, reply, request.body.hierarchylevel)
    if (place === undefined) return reply
    const phone = numberOf(request.body.phone, place)
    if (!phone.ok) return refuse(reply, phone.refusal)
    const { audience, over: lists } = place
    const person = audience.digestsOf({ phone: phone.value })
    const read = entryReader(given.parts, audience, request)
    const history = []
    for (const entry of audience.index.suppressions.historyOf(lists, person)) history.push((await read(entry)).entry)
    return {
      phone: phone.value,
      marketing: audience.isSuppressed({ lists, category: MARKETING }, person),
      utility: audience.isSuppressed({ lists, category: 'utility' }, person),
      history,
    }
  })
}

/** Entries that are read together for an export. */
const EXPORTED = 200
const COLUMNS = [
  ...['time', 'phone', 'name', 'source', 'word', 'category'],
  ...['campaign', 'channel', 'bot', 'rule', 'reason'],
]

async function* exportLines({ parts }: SuppressionParts, place: Place, request: FastifyRequest) {
  const { caller } = sessionOf(request)
  const read = entryReader(parts, place.audience, request)
  // Entries that are added meanwhile are newer than the first one and stay out.
  const { suppressions } = place.audience.index
  let below = Number.MAX_SAFE_INTEGER
  yield `\ufeff${csvRecord(COLUMNS)}`
  for (;;) {
    await requireStillPermitted(caller, 'exportcontact')
    const entries = suppressions.entriesBelow(place.over, below, EXPORTED)
    let lines = ''
    for (const each of entries) {
      const { entry, phone } = await read(each)
      const { time, name, source, word, category, campaign, channel, rule, reason } = entry
      const channelName = channel?.name || channel?.type || ''
      const where = [campaign?.name ?? '', channelName, channel?.bot ?? '', rule, reason]
      lines += csvRecord([time, phone, name, source, word, category, ...where])
    }
    yield lines
    const last = entries.at(-1)
    if (last === undefined) return
    below = last.place
  }
}

function addExport(app: FastifyInstance, given: SuppressionParts): void {
  handle(app, 'GET /suppression/export', { permission: 'exportcontact' }, async (request, reply) => {
    const place = await placeOf(given, request, reply, request.query.hierarchylevel)
    if (place === undefined) return reply
    await tell(given, request, place, 'NumbersExported', {})
    return reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', 'attachment; filename="optouts.csv"')
      .send(Readable.from(exportLines(given, place, request)))
  })
}

function addByHand(app: FastifyInstance, given: SuppressionParts): void {
  const { parts } = given
  const config = { permission: 'updatesuppression' }
  handle(app, 'POST /suppression', config, async (request, reply) => {
    const { reason, scope } = request.body
    const place = await placeOf(given, request, reply, request.body.hierarchylevel)
    if (place === undefined) return reply
    const phone = numberOf(request.body.phone, place)
    if (!phone.ok) return refuse(reply, phone.refusal)
    const person = place.audience.digestsOf({ phone: phone.value })
    const category = scope === 'all' ? EVERY_CATEGORY : MARKETING
    const done = await runWrite(parts, request, reply, async (_seed, { user: actor }) => {
      const why = { category, source: 'hand', reason, actor } as const
      const added = await place.audience.suppress(place.own, person, why)
      const position = await tell(given, request, place, 'NumberSuppressed', { reason, scope })
      return accepted({ position, result: { added } })
    })
    return done === undefined ? reply : reply.send(done)
  })
}

function addLift(app: FastifyInstance, given: SuppressionParts): void {
  const { parts } = given
  const config = { permission: 'updatesuppression' }
  handle(app, 'POST /suppression/lift', config, async (request, reply) => {
    const { reason } = request.body
    const place = await placeOf(given, request, reply, request.body.hierarchylevel)
    if (place === undefined) return reply
    const phone = numberOf(request.body.phone, place)
    if (!phone.ok) return refuse(reply, phone.refusal)
    const { audience, reached, over: lists } = place
    const person = audience.digestsOf({ phone: phone.value })
    const done = await runWrite(parts, request, reply, async (_seed, { user: actor }) => {
      let lifted = false
      for (const list of reached) {
        const why = { category: MARKETING, source: 'hand', reason, actor, lifts: BY_HAND } as const
        if (await audience.resume(list, person, why)) lifted = true
      }
      const position = await tell(given, request, place, 'NumberResumed', { reason })
      const active = audience.isSuppressed({ lists, category: MARKETING }, person)
      return accepted({ position, result: { lifted, active } })
    })
    return done === undefined ? reply : reply.send(done)
  })
}

function addImport(app: FastifyInstance, given: SuppressionParts): void {
  const { parts } = given
  const config = { permission: 'updatesuppression' }
  handle(app, 'POST /suppression/import', config, async (request, reply) => {
    const { phones, reason, scope } = request.body
    const place = await placeOf(given, request, reply, request.body.hierarchylevel)
    if (place === undefined) return reply
    const category = scope === 'all' ? EVERY_CATEGORY : MARKETING
    const done = await runWrite(parts, request, reply, async (_seed, { user: actor }) => {
      const invalid: number[] = []
      const people: PersonDigests[] = []
      const slices = new TimeSlicer()
      for (const [at, text] of phones.entries()) {
        if (slices.isOver) await slices.next()
        const phone = numberOf(text, place)
        if (phone.ok) people.push(place.audience.digestsOf({ phone: phone.value }))
        else invalid.push(at)
      }
      const added = await place.audience.suppressAll(place.own, people, { category, source: 'import', reason, actor })
      const known = people.length - added
      const position = await tell(given, request, place, 'NumbersImported', { reason, scope, added, known })
      return accepted({ position, result: { added, known, invalid } })
    })
    return done === undefined ? reply : reply.send(done)
  })
}

/** Numbers that get no campaigns. */
export const addSuppressions = (app: FastifyInstance, given: SuppressionParts): void => {
  addReads(app, given)
  addExport(app, given)
  addByHand(app, given)
  addLift(app, given)
  addImport(app, given)
}

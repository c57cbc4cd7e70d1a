import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { openPhones, type PhoneReader } from '#domain/audience/phone.ts'
import { isSimulated, SIMULATED_MODE } from '#domain/campaign/simulated-number.ts'
import type { Scope } from '#projections/port.ts'
import { SYSTEM_SCOPE } from '#projections/scope.ts'
import { type OpenedContact, plannedAudience } from '#runtime/campaign/audience/audience.ts'
import type { Audiences } from '#runtime/campaign/audience/compose-audience.ts'
import type { StoredAudience } from '#runtime/campaign/audience/open-audience.ts'
import { findContacts, readContact } from '#runtime/campaign/audience/read-contact.ts'
import { duplicateCampaign } from '#runtime/campaign/duplicate-campaign.ts'
import { openOptOutLists } from '#runtime/campaign/optout/opt-outs.ts'
import type { SentCampaigns } from '#runtime/campaign/run/compose-campaigns.ts'
import { LinkChecker } from '#runtime/campaign/run/linked-files.ts'
import { MAX_WAITED, reviewCampaign, shownReview, uploadsIn } from '#runtime/campaign/run/review.ts'
import type { RecipientRow } from '#runtime/campaign/run/run-queries.ts'
import { comparisonOf, costOf, priceListsOf, statisticsOf, sumsOf } from '#runtime/campaign/run/statistics.ts'
import { openTested, sendCode, sendTest, type TestedCampaign } from '#runtime/campaign/test-send/send-test.ts'
import { MAX_TESTS, type TestNumbers } from '#runtime/campaign/test-send/test-numbers.ts'
import { sourceOf } from '#runtime/channel/template/open-senders.ts'
import { sendReasonText } from '#runtime/localized-text.ts'
import type { AnswerOf } from '#schemas/api/routes.ts'
import type { JsonObject } from '#schemas/event.ts'
import type { RunPlan } from '#schemas/events/campaign.ts'
import { fieldText } from '#schemas/json.ts'
import type { Language } from '#schemas/language.ts'
import { accepted, type FieldError, type Result, refused } from '#schemas/refusal.ts'
import type { RowOf } from '#schemas/row.ts'
import { handle, type RouteRequest } from '../http/handle.ts'
import type { Parts } from '../port.ts'
import { refuse } from '../problem.ts'
import { callerOf, runWrite, sessionOf } from './command.ts'
import { csvLine } from './export.ts'

interface CampaignParts {
  readonly parts: Parts
  readonly audiences: Audiences
  readonly campaigns: SentCampaigns
}

const HOUR_MS = 3_600_000
const EXPORTED = 1000
const NOT_FOUND = { code: 'entity.notfound' } as const
/** A list or segment of the campaign was removed. */
const GONE = { code: 'campaign.incomplete', errors: [{ path: 'lists', code: 'reference' }] } as const
const COLUMNS = ['contact', 'phone', 'nome', 'status', 'reason', 'claimed', 'sent', 'delivered', 'read', 'engaged']

const moment = (time: number | null): string | null => (time === null ? null : new Date(time).toISOString())

/** Numbers and names are for who may read contacts. */
const mayReadContacts = ({ readable }: Scope): boolean => readable === 'all' || readable.has('contact')

/** Fields of contacts that fill variables of the template, each once, beside the name. */
const fieldsUsed = ({ mapping }: CampaignRow): readonly string[] => [
  ...new Set(mapping.map(({ source }) => String(source)).filter(source => source.startsWith('field'))),
]

/** A row of the answer, without what the caller may not read. */
const itemOf = (
  row: RecipientRow,
  contact: OpenedContact | undefined,
  { used, language }: { readonly used: readonly string[]; readonly language: Language },
) => ({
  contact: row.contact,
  phone: contact?.phone ?? null,
  nome: contact?.nome ?? null,
  run: row.run,
  status: row.status as AnswerOf<'GET /campaign/{id}/recipients'>['items'][number]['status'],
  reason: row.reason,
  text: row.reason === null ? null : sendReasonText(language, row.reason),
  tries: row.tries,
  values: used.map(name => contact?.fields[name] ?? '').filter(value => value !== ''),
  claimed: moment(row.claimed),
  sent: moment(row.sent),
  delivered: moment(row.delivered),
  read: moment(row.seen),
  engaged: moment(row.engaged),
})

type CampaignRow = RowOf<'campaign'>

/** The campaign that a request is about, if the caller may read it. */
const campaignOf = async ({ read }: Parts, request: FastifyRequest, id: string) =>
  read.detail(sessionOf(request).scope, 'campaign', id)

const config = { permission: 'readcampaign' } as const

/** Lists and segments of a plan with the recipients that each brought; of equal numbers the first one counts. */
const plannedWith = (
  { selection }: RunPlan,
  sources: readonly { readonly place: number; readonly count: number; readonly omitted: number }[],
): AnswerOf<'GET /campaignrun'>['items'][number]['audience'] => {
  if (selection === undefined) return null
  const countAt = (place: number) => sources.find(one => one.place === place)?.count ?? 0
  const { lists, segments, minus } = selection
  return {
    own: countAt(0),
    lists: lists.map(({ id, name }, at) => ({ id, name, count: countAt(at + 1) })),
    segments: segments.map(({ id, name, rule }, at) => ({ id, name, rule, count: countAt(lists.length + at + 1) })),
    minus,
    omitted: sources.reduce((sum, { omitted }) => sum + omitted, 0),
  }
}

function addFigures(app: FastifyInstance, { parts, campaigns }: CampaignParts): void {
  handle(app, 'GET /campaignrun', config, async (request, reply) => {
    const row = await campaignOf(parts, request, request.query.campaign)
    if (row === undefined) return refuse(reply, NOT_FOUND)
    const fields = await parts.commands.openFields('campaign', row.id)
    const { queries } = (await campaigns.begun()).index
    return {
      items: queries.runsOf(row.id).map(run => {
        const { total, handedover, failed } = sumsOf(queries.counts({ campaign: row.id, run: run.seq }))
        const present = fields?.run === run.id ? fields.run_status : 'completed'
        const status = (run.state ?? present) as AnswerOf<'GET /campaignrun'>['items'][number]['status']
        const { kind, expires } = run.plan
        const times = { started: new Date(run.planned).toISOString(), ended: moment(run.ended), expires }
        const audience = plannedWith(run.plan, queries.sources(run.seq))
        return { id: run.id, kind, status, ...times, total, handedover, failed, audience }
      }),
    }
  })

  handle(app, 'GET /campaign/{id}/statistics', config, async (request, reply) => {
    const row = await campaignOf(parts, request, request.params.id)
    const { queries } = (await campaigns.begun()).index
    const run = runIn(row?.id, request.query.run, id => queries.run(id))
    if (row === undefined || run === 'none') return refuse(reply, NOT_FOUND)
    const of = { campaign: row.id, run }
    const asked = request.query.run === undefined ? queries.runsOf(row.id)[0] : queries.run(request.query.run)
    const lists = await priceListsOf(parts.read, row.hierarchylevel, Date.now())
    return {
      ...statisticsOf(queries.counts(of), queries.rate(row.id, Date.now() - HOUR_MS), request.language),
      cost: costOf(queries.costs(of), lists, asked?.plan.simulated),
      comparison: comparisonOf(queries, row.id, asked, run !== undefined),
    }
  })
}

/** The number of a run in the index; undefined for all of the campaign. */
const runIn = (
  campaign: string | undefined,
  run: string | undefined,
  find: (id: string) => { readonly seq: number; readonly campaign: string } | undefined,
): number | undefined | 'none' => {
  if (run === undefined) return undefined
  const found = find(run)
  return found === undefined || found.campaign !== campaign ? 'none' : found.seq
}

/** Reviews of one person in a minute that ask servers for linked files. */
const MAX_LINK_CHECKS = 10

function addReview(app: FastifyInstance, { parts, audiences, campaigns }: CampaignParts): void {
  const limit = parts.rates.add('campaign links', MAX_LINK_CHECKS)
  const checker = new LinkChecker(parts.call)
  handle(app, 'GET /campaign/{id}/review', config, async (request, reply) => {
    const row = await campaignOf(parts, request, request.params.id)
    const { commands } = parts
    const fields = row && (await commands.openFields('campaign', row.id))
    const template = fields && (await commands.openFields('template', String(fields.template)))
    const other = fields && fieldText(fields, 'template_b')
    const templateB = other ? await commands.openFields('template', other) : undefined
    if (row === undefined || fields === undefined || template === undefined) return refuse(reply, NOT_FOUND)
    const opened = await parts.senders.open(sourceOf(fields))
    const sending = await campaigns.begun()
    const { index, reviews, now, selections } = sending
    const startRate = await sending.startRate(opened?.number ?? '')
    const otherRate = sending.otherRate(opened?.number ?? '')
    const audience = await audiences.begun()
    const lists = openOptOutLists(parts.read)
    const prices = await priceListsOf(parts.read, row.hierarchylevel, now())
    const { user, seenBy } = sessionOf(request).access
    // A person whose view is shown asks no server.
    const linkCheck = { checker, mayAsk: () => seenBy === undefined && limit.take(user) === undefined }
    const review = (of: { readonly signal?: AbortSignal; readonly progress?: (done: number) => void }) =>
      reviewCampaign(
        { audience, index, lists, now, selections },
        { id: row.id, fields, template, templateB, prices, opened, startRate, otherRate, linkCheck, ...of },
      )
    const selection = await selections.of(fields)
    if (selection === undefined) return refuse(reply, GONE)
    const sized = { campaign: row.id, ...(selection === 'none' ? {} : { selection }) }
    const job =
      reviews.find(request.query.job ?? '', row.id) ?? reviews.start(row.id, await selections.size(sized), review)
    if (job.total <= MAX_WAITED || job.ended !== undefined) await job.result
    const uploads = await parts.read.rows(SYSTEM_SCOPE, 'campaignupload', uploadsIn(job))
    const files = new Map(uploads.map(({ id, name }) => [id, String(name)]))
    return shownReview(job, request.language, upload => files.get(upload))
  })
}

/** Needed to copy the contacts of a campaign. */
const CONTACT_RIGHTS = ['readcontact', 'createcontact'] as const

function addDuplicate(app: FastifyInstance, { parts, audiences }: CampaignParts): void {
  handle(app, 'POST /campaign/{id}/duplicate', { permission: 'createcampaign' }, async (request, reply) => {
    const row = await campaignOf(parts, request, request.params.id)
    if (row === undefined) return refuse(reply, NOT_FOUND)
    const { name, contacts } = request.body
    const { caller: asking } = sessionOf(request)
    const lacking = contacts ? CONTACT_RIGHTS.find(right => !asking.permits(right)) : undefined
    if (lacking !== undefined) return refuse(reply, { code: 'access.forbidden' })
    const audience = contacts ? await audiences.begun() : undefined
    const made = await runWrite(parts, request, reply, async (seed, caller) => {
      const copied = await duplicateCampaign(parts, {
        ...{ campaign: row, name, audience, caller, seed },
        correlation: request.id,
      })
      return copied.ok ? accepted({ result: { ...copied.value } }) : copied
    })
    return made === undefined ? reply : (made as AnswerOf<'POST /campaign/{id}/duplicate'>)
  })
}

type Query = RouteRequest<'GET /campaign/{id}/recipients/export'>['query']
interface Slice {
  readonly offset: number
  readonly limit: number
}

/** Recipients that a query leaves, opened for who may read contacts. */
const finderOf =
  ({ audiences, campaigns }: CampaignParts) =>
  async (request: FastifyRequest, campaign: CampaignRow, query: Query, slice: Slice) => {
    const { id } = campaign
    const { queries } = (await campaigns.begun()).index
    const run = runIn(id, query.run, asked => queries.run(asked))
    if (run === 'none') return { items: [], total: 0 }
    const filter = { status: query.status ?? '', reason: query.reason ?? '' }
    const { rows, total } = queries.recipients({ campaign: id, run }, filter, slice)
    const contacts = mayReadContacts(sessionOf(request).scope) ? rows.map(({ contact }) => contact) : []
    const opened = await (await audiences.begun()).open(id, contacts)
    const shown = { used: fieldsUsed(campaign), language: request.language }
    return { items: rows.map(row => itemOf(row, opened.get(row.contact), shown)), total }
  }

/** Finds recipients among the contacts of the campaign itself, then among those that its runs were planned with. */
function addRecipientSearch(app: FastifyInstance, { parts, audiences, campaigns }: CampaignParts): void {
  const use = { permission: 'readcontact', effect: 'reads' } as const
  handle(app, 'POST /campaign/{id}/recipients/search', use, async (request, reply) => {
    const campaign = await campaignOf(parts, request, request.params.id)
    if (campaign === undefined) return refuse(reply, NOT_FOUND)
    const { search, after = '0.0', size } = request.body
    const [audience, readPhone] = [await audiences.begun(), await openPhones()]
    const [at = 0, place = 0] = after.split('.').map(Number)
    const planned = plannedAudience(campaign.id)
    const asked = { campaign: at === 0 ? campaign.id : planned, search, after: place, size }
    const { members, next } = await findContacts(audience, readPhone, asked)
    const before =
      at === 0
        ? []
        : audience.index.members(
            campaign.id,
            members.map(({ contact }) => contact),
          )
    const fresh = members.filter(({ contact }) => !before.some(own => own.contact === contact))
    const opened = new Map(fresh.map(member => [member.phone, member.opened]))
    const { queries } = (await campaigns.begun()).index
    const shown = { used: fieldsUsed(campaign), language: request.language }
    const further = at === 0 && audience.index.page(planned, 0, 1).length > 0 ? '1.0' : null
    const rows = queries.recipientsWith(campaign.id, [...opened.keys()])
    return {
      items: rows.map(row => itemOf(row, opened.get(row.phone), shown)),
      next: next === undefined ? further : `${at}.${next}`,
    }
  })
}

function addRecipients(app: FastifyInstance, campaign: CampaignParts): void {
  const { parts } = campaign
  const find = finderOf(campaign)
  handle(app, 'GET /campaign/{id}/recipients', config, async (request, reply) => {
    const row = await campaignOf(parts, request, request.params.id)
    if (row === undefined) return refuse(reply, NOT_FOUND)
    const { page, size, ...query } = request.query
    return { ...(await find(request, row, query, { offset: (page - 1) * size, limit: size })), page, size }
  })
}

function addRecipientExport(app: FastifyInstance, campaign: CampaignParts): void {
  const { parts } = campaign
  const find = finderOf(campaign)
  const lines = async function* (request: FastifyRequest, row: CampaignRow, query: Query, mark: readonly string[]) {
    yield `\ufeff${csvLine([...COLUMNS, ...mark])}`
    for (let offset = 0; ; offset += EXPORTED) {
      const { items } = await find(request, row, query, { offset, limit: EXPORTED })
      for (const { run: _run, reason: _reason, text, ...item } of items)
        yield csvLine([
          ...COLUMNS.map(name => String(name === 'reason' ? (text ?? '') : (Reflect.get(item, name) ?? ''))),
          ...mark,
        ])
      if (items.length < EXPORTED) return
    }
  }

  handle(app, 'GET /campaign/{id}/recipients/export', { permission: 'exportcampaign' }, async (request, reply) => {
    const row = await campaignOf(parts, request, request.params.id)
    if (row === undefined) return refuse(reply, NOT_FOUND)
    const told = await tellExport(parts, request, reply, row.id)
    if (!told) return reply
    const account = await parts.commands.openFields('metaaccount', String(row.metaaccount))
    const mark = isSimulated(account) ? [SIMULATED_MODE] : []
    return reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="${['recipients', ...mark].join('-')}.csv"`)
      .send(Readable.from(lines(request, row, request.query, mark)))
  })
}

/** Numbers leave the console: the export is recorded first. */
const tellExport = async (parts: Parts, request: FastifyRequest, reply: FastifyReply, id: string): Promise<boolean> => {
  const command = { entity: 'campaign', action: 'tellexport', id, input: {}, correlation: randomUUID() }
  const outcome = await parts.commands.execute({ ...command, caller: callerOf(request) })
  if (!outcome.ok) refuse(reply, outcome.refusal)
  return outcome.ok
}

/** Sent campaigns and their results. */
export const addCampaigns = (app: FastifyInstance, campaign: CampaignParts): void => {
  addFigures(app, campaign)
  addReview(app, campaign)
  addDuplicate(app, campaign)
  addRecipients(app, campaign)
  addRecipientSearch(app, campaign)
  addRecipientExport(app, campaign)
}

interface TestParts {
  readonly parts: Parts
  readonly audiences: Audiences
}
interface TestPlace {
  readonly id: string
  readonly level: string
  readonly tested: TestedCampaign
  readonly numbers: TestNumbers
  readonly readPhone: PhoneReader
}

const wrong = (path: string, rule: string): FieldError => ({ path, code: 'format', params: { rule } })
const TOO_MANY = refused('validation.failed', {
  errors: [{ path: 'phones', code: 'format', params: { rule: 'testlimit', max: MAX_TESTS } }],
})

/** A campaign that the caller sees, with the test numbers of its level; undefined after it was refused. */
const testPlaceOf = async (
  { parts, audiences }: TestParts,
  request: FastifyRequest,
  reply: FastifyReply,
  { id, variant }: { readonly id: string; readonly variant?: 'a' | 'b' | undefined },
): Promise<TestPlace | undefined> => {
  const row = await parts.read.detail(sessionOf(request).scope, 'campaign', id)
  const tested = row && (await openTested(parts, row.id, variant))
  if (row === undefined || tested === undefined) {
    await refuse(reply, { code: 'entity.notfound' })
    return undefined
  }
  const numbers = await audiences.testNumbers()
  return { id: row.id, level: row.hierarchylevel ?? '', tested, numbers, readPhone: await openPhones() }
}

/** The numbers in E.164: verified ones of the level, or personas of a simulated number. */
const allowedPhones = async (
  { numbers, level, tested, readPhone }: TestPlace,
  phones: readonly string[],
): Promise<Result<readonly string[]>> => {
  const errors: FieldError[] = []
  const found: string[] = []
  for (const [at, text] of phones.entries()) {
    const reading = readPhone(text)
    if (!reading.ok) errors.push(wrong(`phones.${at}`, `contactphone${reading.fault}`))
    else if (tested.opened.isSimulated || (await numbers.isVerified(level, reading.phone.e164)))
      found.push(reading.phone.e164)
    else errors.push(wrong(`phones.${at}`, 'testnumber'))
  }
  return errors.length > 0 ? refused('validation.failed', { errors }) : accepted([...new Set(found)])
}

function addTestSend(app: FastifyInstance, given: TestParts): void {
  const { parts, audiences } = given
  handle(app, 'POST /campaign/{id}/test', { permission: 'testcampaign' }, async (request, reply) => {
    const { variant } = request.body
    const place = await testPlaceOf(given, request, reply, { id: request.params.id, variant })
    if (place === undefined) return reply
    const { id, tested } = place
    const phones = await allowedPhones(place, request.body.phones)
    if (!phones.ok) return refuse(reply, phones.refusal)
    const audience = await audiences.begun()
    const { contact } = request.body
    const opened =
      contact === undefined
        ? await firstContact(audience, [id, ...((place.tested.fields.lists as readonly string[] | undefined) ?? [])])
        : (await audience.open(id, [contact])).get(contact)
    if (request.body.contact !== undefined && opened === undefined) return refuse(reply, { code: 'entity.notfound' })
    const done = await runWrite(parts, request, reply, async () => {
      if (!(await place.numbers.admit(id, phones.value.length))) return TOO_MANY
      const command = { entity: 'campaign', action: 'telltest', id, input: { count: phones.value.length } }
      const told = await parts.commands.execute({ ...command, correlation: randomUUID(), caller: callerOf(request) })
      if (!told.ok) return told
      const results = await sendTest(tested, opened ?? { phone: '', nome: '', fields: {} }, phones.value)
      const bot = await botOf(parts, tested)
      if (bot !== undefined)
        parts.botLog.log({ level: 'info', code: 'campaign.test', bot, detail: String(results.length) })
      const shown = results.map(({ phone, reason }) => ({
        ...{ phone, sent: reason === undefined, reason: reason ?? null },
        text: reason === undefined ? null : sendReasonText(request.language, reason),
      }))
      return accepted({ position: told.position, result: { results: shown } as unknown as JsonObject })
    })
    return done === undefined ? reply : reply.send(done)
  })
}

/** The first contact of the first of these audiences that has one. */
const firstContact = async (audience: StoredAudience, holders: readonly string[]) => {
  for (const holder of holders) {
    const [member] = await audience.openMembers(holder, audience.index.page(holder, 0, 1))
    if (member?.opened !== undefined) return member.opened
  }
  return undefined
}

/** The bot that answers at the number of a campaign. */
const botOf = async (parts: Parts, { fields, opened }: TestedCampaign): Promise<string | undefined> => {
  const named = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)
  const channel = named(fields.channel)
  if (channel !== undefined) return named((await parts.commands.openFields('channel', channel))?.bot)
  const app = await parts.commands.openFields('metaapp', String(opened.account.metaapp))
  return named(opened.account.bot) ?? named(app?.bot_assigned)
}

function addTestNumbers(app: FastifyInstance, given: TestParts): void {
  const { parts } = given
  const config = { permission: 'testcampaign' }
  handle(app, 'GET /campaign/{id}/testnumbers', config, async (request, reply) => {
    const place = await testPlaceOf(given, request, reply, request.params)
    if (place === undefined) return reply
    const items = await place.numbers.list(place.level)
    return {
      items: items.map(({ id, phone, isVerified: verified }) => ({ id, phone, verified })),
      simulated: place.tested.opened.isSimulated,
    }
  })

  handle(app, 'POST /campaign/{id}/testnumbers', config, async (request, reply) => {
    const place = await testPlaceOf(given, request, reply, request.params)
    if (place === undefined) return reply
    const { numbers, level, tested } = place
    const read = readContact({ phone: request.body.phone }, place.readPhone)
    if (!read.ok) return refuse(reply, read.refusal)
    const { contact } = read.value
    if (tested.opened.isSimulated)
      return refuse(reply, { code: 'validation.failed', errors: [wrong('phone', 'testcodeway')] })
    const done = await runWrite(parts, request, reply, async (_seed, { user }) => {
      const known = refused('validation.failed', { errors: [wrong('phone', 'testknown')] })
      if (await numbers.isVerified(level, contact.phone)) return known
      if (!(await numbers.admit(place.id, 1))) return TOO_MANY
      const begun = await numbers.begin(level, contact, user)
      if (begun === undefined) return known
      const sent = await sendCode(parts, tested, contact.phone, begun.code)
      return sent.ok ? accepted({ result: { id: begun.id } }) : sent
    })
    return done === undefined ? reply : reply.send(done)
  })

  handle(app, 'POST /campaign/{id}/testnumbers/verify', config, async (request, reply) => {
    const place = await testPlaceOf(given, request, reply, request.params)
    if (place === undefined) return reply
    const { number, code } = request.body
    const done = await runWrite(parts, request, reply, async (_seed, { user }) =>
      (await place.numbers.verify(place.level, number, code, user))
        ? accepted({ result: { verified: true } })
        : refused('validation.failed', { errors: [wrong('code', 'testcode')] }),
    )
    return done === undefined ? reply : reply.send(done)
  })

  handle(app, 'POST /campaign/{id}/testnumbers/remove', config, async (request, reply) => {
    const place = await testPlaceOf(given, request, reply, request.params)
    if (place === undefined) return reply
    const done = await runWrite(parts, request, reply, async (_seed, { user }) =>
      (await place.numbers.remove(place.level, request.body.number, user))
        ? accepted({ result: { removed: true } })
        : refused('entity.notfound'),
    )
    return done === undefined ? reply : reply.send(done)
  })
}

/** Routes that send a campaign's message to test numbers, and manage these numbers. */
export const addCampaignTests = (app: FastifyInstance, given: TestParts): void => {
  addTestSend(app, given)
  addTestNumbers(app, given)
}

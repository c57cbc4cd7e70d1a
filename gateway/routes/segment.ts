import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isResult, segmentRuleOf } from '#domain/audience/segment.ts'
import { plannedAudience } from '#runtime/campaign/audience/audience.ts'
import type { AudienceJob } from '#runtime/campaign/audience/audience-jobs.ts'
import type { Audiences } from '#runtime/campaign/audience/compose-audience.ts'
import { failureClass, type SegmentOf, SegmentUnknown } from '#runtime/campaign/audience/segments.ts'
import type { SentCampaigns } from '#runtime/campaign/run/compose-campaigns.ts'
import { callerOf as workCallerOf } from '#runtime/isolation/pooled-work.ts'
import type { AnswerOf } from '#schemas/api/routes.ts'
import type { JsonObject } from '#schemas/event.ts'
import type { Refusal } from '#schemas/refusal.ts'
import { readSegmentRule, type SegmentGroup } from '#schemas/segment-rule.ts'
import { RequestRefused } from '../http/failure.ts'
import { closedSignal, handle, type RouteRequest } from '../http/handle.ts'
import type { Parts } from '../port.ts'
import { refuse } from '../problem.ts'
import { callerOf, sessionOf } from './command.ts'
import { auditOf, type Found, findAudience, holderOfRequest } from './contact.ts'

interface SegmentRouteParts {
  readonly parts: Parts
  readonly audiences: Audiences
  readonly campaigns: SentCampaigns
}

const NOT_FOUND = { code: 'entity.notfound' } as const
/** Samples of one person at a time. */
const MAX_SAMPLES = 2
const ROWS = 1000
const TOO_MANY: Refusal = { code: 'request.toomany', params: { retryAfter: 5 } }

/** @throws RequestRefused */
const ruleOf = (given: unknown): SegmentGroup => {
  const read = readSegmentRule(given)
  if (read.ok) return read.rule
  const errors = read.faults.map(({ path, rule }) => ({
    path: path === '' ? 'rule' : `rule.${path}`,
    code: 'format' as const,
    params: { rule },
  }))
  throw new RequestRefused({ code: 'validation.failed', errors })
}

const UNKNOWN: Refusal = {
  code: 'validation.failed',
  errors: [{ path: 'rule', code: 'format', params: { rule: 'segmentunknown' } }],
}

/** @throws RequestRefused where the rule names a list or campaign that is not of its level or below */
export const knownSegment = async <T>(work: Promise<T>): Promise<T> =>
  work.catch(error => {
    throw error instanceof SegmentUnknown ? new RequestRefused(UNKNOWN) : error
  })

/** Rights beside that of the route. */
const requirePermissions = (request: FastifyRequest, ...permissions: readonly string[]): void => {
  const caller = callerOf(request)
  const lacking = permissions.filter(permission => !caller.permits(permission))
  if (lacking.length > 0) throw new RequestRefused({ code: 'access.lacking', params: { permissions: lacking } })
}

const shownJob = ({ id, done, total, ended }: AudienceJob): AnswerOf<'GET /contactjob/{id}'> => ({
  ...{ id, done, total },
  state: ended === undefined ? 'running' : 'error' in ended ? 'failed' : 'finished',
  count: ended === undefined || 'error' in ended ? null : Number(ended.result.count ?? 0),
})

/** A segment as the caller may see it. */
export const segmentOf = async ({ read }: Parts, request: FastifyRequest, id: string) => {
  const row = await read.detail(sessionOf(request).scope, 'segment', id)
  const rule = row && segmentRuleOf(row.rule)
  if (row === undefined || rule === undefined) return undefined
  return { id: row.id, level: row.hierarchylevel ?? null, rule }
}

function addSamples(app: FastifyInstance, { parts, campaigns }: SegmentRouteParts): void {
  const running = new Map<string, number>()
  const one = async <T>(owner: string, work: () => Promise<T>): Promise<T> => {
    const count = running.get(owner) ?? 0
    if (count >= MAX_SAMPLES) throw new RequestRefused(TOO_MANY)
    running.set(owner, count + 1)
    return work().finally(() => {
      const left = (running.get(owner) ?? 1) - 1
      if (left === 0) running.delete(owner)
      else running.set(owner, left)
    })
  }

  const sampling = { permission: 'readcontact', effect: 'reads' } as const
  handle(app, 'POST /segment/sample', sampling, async (request, reply) => {
    requirePermissions(request, 'readsegment')
    const { hierarchylevel, campaign, list } = request.body
    const rule = ruleOf(request.body.rule)
    const { scope, caller } = sessionOf(request)
    const isOfHolder = campaign !== undefined || list !== undefined
    const found = isOfHolder ? await holderOfRequest(parts, request, { campaign, list }) : undefined
    const level = await seenLevel(parts, request, isOfHolder ? found?.level : (hierarchylevel ?? scope.level))
    if (level === undefined) return refuse(reply, NOT_FOUND)
    const segment: SegmentOf = { level, rule, ...(found === undefined ? {} : { holder: found.id }) }
    const { segments } = await campaigns.begun()
    return one(String(caller.user), async () => {
      const from = workCallerOf({ hierarchylevel: level }, `segment ${caller.user}`)
      const sampled = await knownSegment(segments.sample(segment, { from, signal: closedSignal(reply) }))
      const { count, error, looked, total } = sampled
      return { count, error, looked, total }
    })
  })
}

/** A level that the caller may see; undefined for others. */
const seenLevel = async (
  { read }: Parts,
  request: FastifyRequest,
  level: string | null | undefined,
): Promise<string | null | undefined> => {
  const { scope } = sessionOf(request)
  if (level === undefined || level === null) return scope.home === null ? level : undefined
  return (await read.levels(scope)).some(({ id }) => id === level) ? level : undefined
}

function addColumns(app: FastifyInstance, { parts, campaigns }: SegmentRouteParts): void {
  handle(app, 'GET /segment/columns', { permission: 'readcontact' }, async (request, reply) => {
    requirePermissions(request, 'readsegment')
    const level = await seenLevel(parts, request, request.query.hierarchylevel ?? sessionOf(request).scope.level)
    if (level === undefined) return refuse(reply, NOT_FOUND)
    return { names: await (await campaigns.begun()).segments.columns(level) }
  })
}

function addCounts(app: FastifyInstance, { parts, audiences, campaigns }: SegmentRouteParts): void {
  const counting = { permission: 'readcontact', effect: 'reads' } as const
  handle(app, 'POST /segment/{id}/count', counting, async (request, reply) => {
    requirePermissions(request, 'readsegment')
    const segment = await segmentOf(parts, request, request.params.id)
    if (segment === undefined) return refuse(reply, NOT_FOUND)
    const { segments } = await campaigns.begun()
    const total = await knownSegment(segments.size(segment))
    const from = workCallerOf({ hierarchylevel: segment.level }, segment.id)
    const job = audiences.jobs.start(callerOf(request).user, async ({ signal, progress }) => {
      progress(0, total)
      let [count, done] = [0, 0]
      for await (const { members, looked } of segments.pages(segment, { from, signal })) {
        count += members.length
        done += looked
        progress(done)
      }
      return { count }
    })
    return job === undefined ? refuse(reply, TOO_MANY) : reply.code(202).send(shownJob(job))
  })

  handle(app, 'GET /contactjob/{id}', { permission: 'readcontact' }, async (request, reply) => {
    const job = audiences.jobs.find(request.params.id, callerOf(request).user)
    return job === undefined ? refuse(reply, NOT_FOUND) : shownJob(job)
  })
}

type Removal = RouteRequest<'POST /contact/removal'>['body']

/** Ids of the contacts that a removal means, before the first is removed. */
const collect = async (
  { audience, id, level }: Found,
  { contacts, rule }: Pick<Removal, 'contacts'> & { readonly rule: SegmentGroup | undefined },
  { segments }: Awaited<ReturnType<SentCampaigns['begun']>>,
  { signal, progress }: { readonly signal: AbortSignal; progress(done: number, total?: number): void },
): Promise<readonly string[]> => {
  if (contacts !== undefined) return contacts.filter(contact => audience.index.member(id, contact) !== undefined)
  const found: string[] = []
  const total = audience.index.count(id)
  let done = 0
  progress(0, total)
  if (rule !== undefined) {
    const caller = { from: workCallerOf({ hierarchylevel: level }, id), signal }
    for await (const { members, looked } of segments.pages({ level, rule, holder: id }, caller)) {
      found.push(...members.map(({ contact }) => contact))
      done += looked
      progress(done)
    }
    return found
  }
  for (let after: number | undefined = 0; after !== undefined; ) {
    signal.throwIfAborted()
    const page = await audience.page(id, after, ROWS)
    found.push(...page.rows.map(({ contact }) => contact))
    after = page.next
  }
  return found
}

function addRemoval(app: FastifyInstance, given: SegmentRouteParts): void {
  const { parts, audiences, campaigns } = given
  handle(app, 'POST /contact/removal', { permission: 'deletecontact' }, async (request, reply) => {
    const { contacts, all, campaign, list } = request.body
    if ([contacts, request.body.rule, all].filter(one => one !== undefined).length !== 1)
      return refuse(reply, { code: 'validation.failed', errors: [{ path: 'contacts', code: 'required' }] })
    const rule = request.body.rule === undefined ? undefined : ruleOf(request.body.rule)
    if (rule !== undefined) requirePermissions(request, 'readcontact')
    const found = await findAudience(given, request, reply, { campaign, list })
    if (found === undefined) return reply
    const { audience, id, level } = found
    const sending = await campaigns.begun()
    if (rule !== undefined) await knownSegment(sending.segments.size({ level, rule, holder: id }))
    const caller = callerOf(request)
    const job = audiences.jobs.start(caller.user, async steps => {
      const ids = await collect(found, { contacts, rule }, sending, steps)
      const by = contacts !== undefined ? 'selection' : rule !== undefined ? 'rule' : 'all'
      const fields: JsonObject = {
        ...auditOf(found),
        count: ids.length,
        by,
        ...(rule === undefined ? {} : { rule: rule as unknown as JsonObject }),
      }
      await parts.record.contactsActed({ caller, correlation: request.id, level, type: 'ContactsRemoved', fields })
      for (let at = 0; at < ids.length; at += ROWS) {
        steps.signal.throwIfAborted()
        await audience.remove(id, ids.slice(at, at + ROWS), caller.user)
        steps.progress(Math.min(at + ROWS, ids.length), ids.length)
      }
      return { count: ids.length }
    })
    return job === undefined ? refuse(reply, TOO_MANY) : reply.code(202).send(shownJob(job))
  })
}

function addCopies(app: FastifyInstance, given: SegmentRouteParts): void {
  const { parts, audiences, campaigns } = given
  handle(app, 'POST /contactlist/{id}/copy', { permission: 'createcontact' }, async (request, reply) => {
    requirePermissions(request, 'readcontact')
    const { campaign, outcome, class: wanted, segment: segmentId } = request.body
    const { scope } = sessionOf(request)
    if ((campaign === undefined) === (segmentId === undefined) || (campaign !== undefined && outcome === undefined))
      return refuse(reply, { code: 'validation.failed', errors: [{ path: 'campaign', code: 'required' }] })
    const list = await parts.read.detail(scope, 'contactlist', request.params.id)
    const source = campaign === undefined ? undefined : await parts.read.detail(scope, 'campaign', campaign)
    const segment = segmentId === undefined ? undefined : await segmentOf(parts, request, segmentId)
    if (list === undefined || (source === undefined && segment === undefined)) return refuse(reply, NOT_FOUND)
    const { index, segments } = await campaigns.begun()
    const audience = await audiences.begun()
    if (segment !== undefined) await knownSegment(segments.size(segment))
    const caller = callerOf(request)
    const level = list.hierarchylevel ?? null
    const from = source === undefined ? { segment: segmentId ?? '' } : { campaign: source.id, outcome: outcome ?? '' }
    const job = audiences.jobs.start(caller.user, async ({ signal, progress }) => {
      const fields: JsonObject = { contactlist: list.id, ...from }
      await parts.record.contactsActed({ caller, correlation: request.id, level, type: 'ContactsCopied', fields })
      let [count, done] = [0, 0]
      if (segment !== undefined) {
        progress(0, await segments.size(segment))
        const pages = segments.pages(segment, { from: workCallerOf({ hierarchylevel: level }, list.id), signal })
        for await (const { members, looked } of pages) {
          for (const [of, some] of Map.groupBy(members, member => member.of))
            count += await audience.copy(list.id, of, some, caller.user)
          done += looked
          progress(done)
        }
        return { count }
      }
      const id = source?.id ?? ''
      const holders = [id, plannedAudience(id)]
      progress(
        0,
        holders.reduce((sum, holder) => sum + audience.index.count(holder), 0),
      )
      for (const holder of holders)
        for (let after: number | undefined = 0; after !== undefined; ) {
          signal.throwIfAborted()
          const rows = audience.index.page(holder, after, ROWS)
          const results = index.queries.resultsOf(
            id,
            rows.map(({ phone }) => phone),
          )
          const chosen = rows.filter(({ phone }) => {
            const result = results.get(phone)
            const given = result && { state: result.state, class: failureClass(result.reason) }
            return isResult(outcome ?? 'sent', given, wanted)
          })
          count += await audience.copy(list.id, holder, chosen, caller.user)
          done += rows.length
          progress(done)
          after = rows.length < ROWS ? undefined : rows.at(-1)?.place
        }
      return { count }
    })
    return job === undefined ? refuse(reply, TOO_MANY) : reply.code(202).send(shownJob(job))
  })
}

/** Segments, and work over many contacts. */
export const addSegments = (app: FastifyInstance, given: SegmentRouteParts): void => {
  addSamples(app, given)
  addColumns(app, given)
  addCounts(app, given)
  addRemoval(app, given)
  addCopies(app, given)
}

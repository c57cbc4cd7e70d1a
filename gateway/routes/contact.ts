import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { openPhones, type PhoneReader } from '#domain/audience/phone.ts'
import type { Audiences } from '#runtime/campaign/audience/compose-audience.ts'
import type { OpenedMember, StoredAudience } from '#runtime/campaign/audience/open-audience.ts'
import { findContacts, readContact } from '#runtime/campaign/audience/read-contact.ts'
import { openOptOutLists } from '#runtime/campaign/optout/opt-outs.ts'
import type { AnswerOf } from '#schemas/api/routes.ts'
import type { JsonObject } from '#schemas/event.ts'
import { accepted, refused } from '#schemas/refusal.ts'
import { RequestRefused } from '../http/failure.ts'
import { handle } from '../http/handle.ts'
import type { Parts } from '../port.ts'
import { refuse } from '../problem.ts'
import { runWrite, sessionOf } from './command.ts'

export interface AudienceParts {
  readonly parts: Parts
  readonly audiences: Audiences
}

/** Contacts are in a campaign or in a saved list: one of both is named. */
interface HolderQuery {
  readonly campaign?: string | undefined
  readonly list?: string | undefined
}

export interface Found {
  readonly audience: StoredAudience
  /** Id of the campaign or the list, and of its audience. */
  readonly id: string
  readonly holder: { readonly campaign: string | null; readonly list: string | null }
  /** Level of the campaign or the list. */
  readonly level: string | null
  /** Opt-out lists that hold for it. */
  readonly lists: readonly string[]
  readonly readPhone: PhoneReader
}

/** The campaign or list that a request names, if the caller may see it. */
export const holderOfRequest = async (
  { read }: Pick<Parts, 'read'>,
  request: FastifyRequest,
  { campaign, list }: HolderQuery,
): Promise<Omit<Found, 'audience' | 'readPhone'> | undefined> => {
  const { scope } = sessionOf(request)
  if ((campaign === undefined) === (list === undefined)) throw new RequestRefused(ONE_HOLDER.refusal)
  if (campaign !== undefined) {
    const row = await read.detail(scope, 'campaign', campaign)
    if (row === undefined) return undefined
    const lists = await openOptOutLists(read).ofCampaign(row.id, String(row.metaaccount ?? ''))
    return { id: row.id, holder: { campaign: row.id, list: null }, level: row.hierarchylevel ?? null, lists }
  }
  const row = await read.detail(scope, 'contactlist', list ?? '')
  if (row === undefined) return undefined
  const { hierarchylevel: level = null } = row
  const lists = await openOptOutLists(read).over(level)
  return { id: row.id, holder: { campaign: null, list: row.id }, level, lists }
}

/** The audience of a campaign or list that may be seen; undefined after it was refused. */
export const findAudience = async (
  { parts, audiences }: AudienceParts,
  request: FastifyRequest,
  reply: FastifyReply,
  of: HolderQuery,
): Promise<Found | undefined> => {
  const found = await holderOfRequest(parts, request, of)
  if (found !== undefined) return { ...found, audience: await audiences.begun(), readPhone: await openPhones() }
  await refuse(reply, { code: 'entity.notfound' })
  return undefined
}

const itemOf = ({ audience, lists, holder }: Found, member: OpenedMember): AnswerOf<'GET /contact/{id}'> => {
  const { contact: id, country, added, upload, opened } = member
  return {
    ...{ id, ...holder, country, added, upload },
    phone: opened?.phone ?? null,
    nome: opened?.nome ?? '',
    fields: { ...opened?.fields },
    consent: opened?.consent ?? null,
    suppressed: audience.isSuppressed({ lists, category: 'marketing' }, audience.digestsOfRow(member)),
  }
}

/** A campaign or list as the audit names it. */
export const auditOf = ({ id, holder }: Pick<Found, 'id' | 'holder'>): JsonObject =>
  holder.list === null ? { campaign: id } : { contactlist: id }

const ONE_HOLDER = refused('validation.failed', { errors: [{ path: 'campaign', code: 'required' }] })

const TAKEN = refused('validation.failed', {
  errors: [{ path: 'phone', code: 'duplicate', params: { rule: 'contact' } }],
})

function addReads(app: FastifyInstance, given: AudienceParts): void {
  const config = { permission: 'readcontact' }
  handle(app, 'GET /contact', config, async (request, reply) => {
    const { page, size } = request.query
    const found = await findAudience(given, request, reply, request.query)
    if (found === undefined) return reply
    const { audience, id } = found
    const rows = audience.index.newest(id, (page - 1) * size, size)
    const members = await audience.openMembers(id, rows)
    return {
      items: members.map(member => itemOf(found, member)),
      total: await audience.count(id),
      names: audience.index.fieldNames(id),
      columns: audience.index.fieldColumns(id),
      changed: audience.index.changedAt(id) ?? null,
    }
  })

  handle(app, 'GET /contact/{id}', config, async (request, reply) => {
    const found = await findAudience(given, request, reply, request.query)
    if (found === undefined) return reply
    const row = found.audience.index.member(found.id, request.params.id)
    if (row === undefined) return refuse(reply, { code: 'entity.notfound' })
    const [member] = await found.audience.openMembers(found.id, [row])
    return member === undefined ? refuse(reply, { code: 'entity.notfound' }) : itemOf(found, member)
  })

  handle(app, 'POST /contact/search', { ...config, effect: 'reads' }, async (request, reply) => {
    const found = await findAudience(given, request, reply, request.body)
    if (found === undefined) return reply
    const { search, after, size } = request.body
    const asked = { campaign: found.id, search, after, size }
    const { members, next } = await findContacts(found.audience, found.readPhone, asked)
    return { items: members.map(member => itemOf(found, member)), next: next ?? null }
  })
}

function addWrites(app: FastifyInstance, given: AudienceParts): void {
  const { parts } = given
  handle(app, 'POST /contact', { permission: 'createcontact' }, async (request, reply) => {
    const { campaign, list, ...fields } = request.body
    const found = await findAudience(given, request, reply, { campaign, list })
    if (found === undefined) return reply
    const read = readContact(fields, found.readPhone)
    if (!read.ok) return refuse(reply, read.refusal)
    const { contact, hints } = read.value
    const made = await runWrite(parts, request, reply, async (_seed, { user }) => {
      const { contacts } = await found.audience.add(found.id, [contact], user)
      const [added] = contacts
      return added === undefined || added.isDuplicate ? TAKEN : accepted({ result: { id: added.contact, hints } })
    })
    return made === undefined ? reply : reply.send(made)
  })

  handle(app, 'PATCH /contact/{id}', { permission: 'updatecontact' }, async (request, reply) => {
    const { campaign, list, ...changes } = request.body
    const { id } = request.params
    const found = await findAudience(given, request, reply, { campaign, list })
    if (found === undefined) return reply
    const { audience, readPhone } = found
    const member = audience.index.member(found.id, id)
    const present = member && (await audience.openMembers(found.id, [member]))[0]?.opened
    if (present === undefined) return refuse(reply, { code: 'entity.notfound' })
    const { phone, nome, fields, consent = null } = present
    const read = readContact({ phone, nome, ...fields, consent, ...changes }, readPhone)
    if (!read.ok) return refuse(reply, read.refusal)
    const { contact, hints } = read.value
    const done = await runWrite(parts, request, reply, async (_seed, { user }) => {
      const holder = audience.index.memberWith(found.id, audience.digestsOf({ phone: contact.phone }))
      if (holder !== undefined && holder.contact !== id) return TAKEN
      const isDone = await audience.change(found.id, id, contact, user)
      return isDone ? accepted({ result: { id, hints } }) : refused('entity.notfound')
    })
    return done === undefined ? reply : reply.send(done)
  })
}

function addRemovals(app: FastifyInstance, given: AudienceParts): void {
  const { parts, audiences } = given
  handle(app, 'DELETE /contact/{id}', { permission: 'deletecontact' }, async (request, reply) => {
    const { id } = request.params
    const found = await findAudience(given, request, reply, request.query)
    if (found === undefined) return reply
    if (found.audience.index.member(found.id, id) === undefined) return refuse(reply, { code: 'entity.notfound' })
    const done = await runWrite(
      parts,
      request,
      reply,
      async (_seed, { user }) => {
        await found.audience.remove(found.id, [id], user)
        return accepted({})
      },
      { body: {} },
    )
    return done === undefined ? reply : reply.send()
  })

  handle(app, 'POST /contact/{id}/forget', { permission: 'forgetcontact' }, async (request, reply) => {
    const { id } = request.params
    const { scope, caller } = sessionOf(request)
    const audience = await audiences.begun()
    const rows = await Promise.all(
      audience.index
        .campaignsOf(id)
        .map(
          async holder =>
            (await parts.read.detail(scope, 'campaign', holder)) ?? parts.read.detail(scope, 'contactlist', holder),
        ),
    )
    const seen = rows.find(row => row !== undefined)
    if (seen === undefined) return refuse(reply, { code: 'entity.notfound' })
    const done = await runWrite(parts, request, reply, async () => {
      await audience.forget(id, request.body.suppress)
      const told = { caller, correlation: request.id, contact: id, level: seen.hierarchylevel }
      return accepted({ position: await parts.record.contactForgotten(told), result: { forgotten: true } })
    })
    return done === undefined ? reply : reply.send(done)
  })
}

/** The people of campaigns and lists, one by one. */
export const addContacts = (app: FastifyInstance, given: AudienceParts): void => {
  addReads(app, given)
  addWrites(app, given)
  addRemovals(app, given)
}

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { openPhones, type PhoneReader } from '#domain/audience/phone.ts'
import type { Audiences } from '#runtime/campaign/audience/compose-audience.ts'
import type { OpenedMember, StoredAudience } from '#runtime/campaign/audience/open-audience.ts'
import { findContacts, readContact } from '#runtime/campaign/audience/read-contact.ts'
import { openOptOutLists } from '#runtime/campaign/optout/opt-outs.ts'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { accepted, refused } from '#schemas/refusal.ts'
import { handle } from '../http/handle.ts'
import type { Parts } from '../port.ts'
import { refuse } from '../problem.ts'
import { runWrite, sessionOf } from './command.ts'

export interface AudienceParts {
  readonly parts: Parts
  readonly audiences: Audiences
}
export interface Found {
  readonly audience: StoredAudience
  /** Level of the campaign. */
  readonly level: string | null
  /** Opt-out lists that hold for the campaign. */
  readonly lists: readonly string[]
  readonly readPhone: PhoneReader
}

/** The audience of a campaign that may be seen; undefined after it was refused. */
export const findCampaign = async (
  { parts, audiences }: AudienceParts,
  request: FastifyRequest,
  reply: FastifyReply,
  campaign: string,
): Promise<Found | undefined> => {
  const row = await parts.read.detail(sessionOf(request).scope, 'campaign', campaign)
  if (row !== undefined) {
    const lists = await openOptOutLists(parts.read).ofCampaign(campaign, String(row.metaaccount ?? ''))
    const { hierarchylevel: level = null } = row
    return { audience: await audiences.begun(), level, lists, readPhone: await openPhones() }
  }
  await refuse(reply, { code: 'entity.notfound' })
  return undefined
}

const itemOf = ({ audience, lists }: Found, campaign: string, member: OpenedMember): AnswerOf<'GET /contact/{id}'> => {
  const { contact: id, country, added, upload, opened } = member
  return {
    ...{ id, campaign, country, added, upload },
    phone: opened?.phone ?? null,
    nome: opened?.nome ?? '',
    fields: { ...opened?.fields },
    consent: opened?.consent ?? null,
    suppressed: audience.isSuppressed({ lists, category: 'marketing' }, audience.digestsOfRow(member)),
  }
}

const TAKEN = refused('validation.failed', {
  errors: [{ path: 'phone', code: 'duplicate', params: { rule: 'contact' } }],
})

function addReads(app: FastifyInstance, given: AudienceParts): void {
  const config = { permission: 'readcontact' }
  handle(app, 'GET /contact', config, async (request, reply) => {
    const { campaign, page, size } = request.query
    const found = await findCampaign(given, request, reply, campaign)
    if (found === undefined) return reply
    const { audience } = found
    const rows = audience.index.newest(campaign, (page - 1) * size, size)
    const members = await audience.openMembers(campaign, rows)
    return {
      items: members.map(member => itemOf(found, campaign, member)),
      total: await audience.count(campaign),
      names: audience.index.fieldNames(campaign),
    }
  })

  handle(app, 'GET /contact/{id}', config, async (request, reply) => {
    const { campaign } = request.query
    const found = await findCampaign(given, request, reply, campaign)
    if (found === undefined) return reply
    const row = found.audience.index.member(campaign, request.params.id)
    if (row === undefined) return refuse(reply, { code: 'entity.notfound' })
    const [member] = await found.audience.openMembers(campaign, [row])
    return member === undefined ? refuse(reply, { code: 'entity.notfound' }) : itemOf(found, campaign, member)
  })

  handle(app, 'POST /contact/search', { ...config, effect: 'reads' }, async (request, reply) => {
    const { campaign } = request.body
    const found = await findCampaign(given, request, reply, campaign)
    if (found === undefined) return reply
    const { members, next } = await findContacts(found.audience, found.readPhone, request.body)
    return { items: members.map(member => itemOf(found, campaign, member)), next: next ?? null }
  })
}

function addWrites(app: FastifyInstance, given: AudienceParts): void {
  const { parts } = given
  handle(app, 'POST /contact', { permission: 'createcontact' }, async (request, reply) => {
    const { campaign, ...fields } = request.body
    const found = await findCampaign(given, request, reply, campaign)
    if (found === undefined) return reply
    const read = readContact(fields, found.readPhone)
    if (!read.ok) return refuse(reply, read.refusal)
    const { contact, hints } = read.value
    const made = await runWrite(parts, request, reply, async (_seed, { user }) => {
      const { contacts } = await found.audience.add(campaign, [contact], user)
      const [added] = contacts
      return added === undefined || added.isDuplicate ? TAKEN : accepted({ result: { id: added.contact, hints } })
    })
    return made === undefined ? reply : reply.send(made)
  })

  handle(app, 'PATCH /contact/{id}', { permission: 'updatecontact' }, async (request, reply) => {
    const { campaign, ...changes } = request.body
    const { id } = request.params
    const found = await findCampaign(given, request, reply, campaign)
    if (found === undefined) return reply
    const { audience, readPhone } = found
    const present = (await audience.open(campaign, [id])).get(id)
    if (present === undefined) return refuse(reply, { code: 'entity.notfound' })
    const { phone, nome, fields, consent = null } = present
    const read = readContact({ phone, nome, ...fields, consent, ...changes }, readPhone)
    if (!read.ok) return refuse(reply, read.refusal)
    const { contact, hints } = read.value
    const done = await runWrite(parts, request, reply, async (_seed, { user }) => {
      const holder = audience.index.memberWith(campaign, audience.digestsOf({ phone: contact.phone }))
      if (holder !== undefined && holder.contact !== id) return TAKEN
      const isDone = await audience.change(campaign, id, contact, user)
      return isDone ? accepted({ result: { id, hints } }) : refused('entity.notfound')
    })
    return done === undefined ? reply : reply.send(done)
  })
}

function addRemovals(app: FastifyInstance, given: AudienceParts): void {
  const { parts, audiences } = given
  handle(app, 'DELETE /contact/{id}', { permission: 'deletecontact' }, async (request, reply) => {
    const { campaign } = request.query
    const { id } = request.params
    const found = await findCampaign(given, request, reply, campaign)
    if (found === undefined) return reply
    if (found.audience.index.member(campaign, id) === undefined) return refuse(reply, { code: 'entity.notfound' })
    const done = await runWrite(
      parts,
      request,
      reply,
      async (_seed, { user }) => {
        await found.audience.remove(campaign, [id], user)
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
      audience.index.campaignsOf(id).map(campaign => parts.read.detail(scope, 'campaign', campaign)),
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

/** The people of campaigns, one by one. */
export const addContacts = (app: FastifyInstance, given: AudienceParts): void => {
  addReads(app, given)
  addWrites(app, given)
  addRemovals(app, given)
}

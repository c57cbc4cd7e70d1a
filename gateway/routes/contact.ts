import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { openPhones, type PhoneReader } from '#domain/audience/phone.ts'
import type { Audiences } from '#runtime/campaign/audience/compose-audience.ts'
import { findContacts } from '#runtime/campaign/audience/find-contacts.ts'
import type { OpenedMember, StoredAudience } from '#runtime/campaign/audience/open-audience.ts'
import { readContact } from '#runtime/campaign/audience/read-contact.ts'
import { openOptOutLists } from '#runtime/campaign/optout/opt-out-lists.ts'
import {
  contactBody,
  contactChangeBody,
  contactForgetBody,
  contactForgottenSchema,
  contactFoundSchema,
  contactMadeSchema,
  contactOneQuery,
  contactPageSchema,
  contactQuery,
  contactSchema,
  contactSearchBody,
} from '#schemas/api/audience.ts'
import { idParam, nothingSchema } from '#schemas/api/write.ts'
import { accepted, refused } from '#schemas/refusal.ts'
import type { Parts } from '../port.ts'
import { refuse } from '../problem.ts'
import { runWrite, sessionOf } from './command.ts'

interface AudienceParts {
  readonly parts: Parts
  readonly audiences: Audiences
}

interface Id {
  readonly id: string
}
interface Found {
  readonly audience: StoredAudience
  /** Opt-out lists that hold for the campaign. */
  readonly lists: readonly string[]
  readonly readPhone: PhoneReader
}

const tags = ['contact']

/** The audience of a campaign that may be seen; undefined after it was refused. */
const findCampaign = async (
  { parts, audiences }: AudienceParts,
  request: FastifyRequest,
  reply: FastifyReply,
  campaign: string,
): Promise<Found | undefined> => {
  const row = await parts.read.detail(sessionOf(request).scope, 'campaign', campaign)
  if (row !== undefined) {
    const lists = await openOptOutLists(parts.read).ofCampaign(campaign, String(row.metaaccount ?? ''))
    return { audience: await audiences.begun(), lists, readPhone: await openPhones() }
  }
  await refuse(reply, { code: 'entity.notfound' })
  return undefined
}

const itemOf = ({ audience, lists }: Found, campaign: string, member: OpenedMember): z.output<typeof contactSchema> => {
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
  app.get<{ Querystring: z.output<typeof contactQuery> }>(
    '/contact',
    { config, schema: { tags, querystring: contactQuery, response: { 200: contactPageSchema } } },
    async (request, reply) => {
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
    },
  )

  app.get<{ Params: Id; Querystring: z.output<typeof contactOneQuery> }>(
    '/contact/:id',
    { config, schema: { tags, params: idParam, querystring: contactOneQuery, response: { 200: contactSchema } } },
    async (request, reply) => {
      const { campaign } = request.query
      const found = await findCampaign(given, request, reply, campaign)
      if (found === undefined) return reply
      const row = found.audience.index.member(campaign, request.params.id)
      if (row === undefined) return refuse(reply, { code: 'entity.notfound' })
      const [member] = await found.audience.openMembers(campaign, [row])
      return member && itemOf(found, campaign, member)
    },
  )

  app.post<{ Body: z.output<typeof contactSearchBody> }>(
    '/contact/search',
    {
      config: { ...config, effect: 'reads' },
      schema: { tags, body: contactSearchBody, response: { 200: contactFoundSchema } },
    },
    async (request, reply) => {
      const { campaign } = request.body
      const found = await findCampaign(given, request, reply, campaign)
      if (found === undefined) return reply
      const { members, next } = await findContacts(found.audience, found.readPhone, request.body)
      return { items: members.map(member => itemOf(found, campaign, member)), next: next ?? null }
    },
  )
}

function addWrites(app: FastifyInstance, given: AudienceParts): void {
  const { parts } = given
  app.post<{ Body: z.output<typeof contactBody> }>(
    '/contact',
    {
      config: { permission: 'createcontact' },
      schema: { tags, body: contactBody, response: { 201: contactMadeSchema } },
    },
    async (request, reply) => {
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
      return made === undefined ? reply : reply.code(201).send(made)
    },
  )

  app.patch<{ Params: Id; Body: z.output<typeof contactChangeBody> }>(
    '/contact/:id',
    {
      config: { permission: 'updatecontact' },
      schema: { tags, params: idParam, body: contactChangeBody, response: { 200: contactMadeSchema } },
    },
    async (request, reply) => {
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
      return done ?? reply
    },
  )
}

function addRemovals(app: FastifyInstance, given: AudienceParts): void {
  const { parts, audiences } = given
  app.delete<{ Params: Id; Querystring: z.output<typeof contactOneQuery> }>(
    '/contact/:id',
    {
      config: { permission: 'deletecontact' },
      schema: { tags, params: idParam, querystring: contactOneQuery, response: { 204: nothingSchema } },
    },
    async (request, reply) => {
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
      return done === undefined ? reply : reply.code(204).send()
    },
  )

  app.post<{ Params: Id; Body: z.output<typeof contactForgetBody> }>(
    '/contact/:id/forget',
    {
      config: { permission: 'forgetcontact' },
      schema: { tags, params: idParam, body: contactForgetBody, response: { 200: contactForgottenSchema } },
    },
    async (request, reply) => {
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
      return done ?? reply
    },
  )
}

/** The people of campaigns, one by one. */
export const addContacts = (app: FastifyInstance, given: AudienceParts): void => {
  addReads(app, given)
  addWrites(app, given)
  addRemovals(app, given)
}

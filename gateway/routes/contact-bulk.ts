import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { TimeSlicer } from '#commands/time-slicer.ts'
import { CONTACT_FIELDS } from '#domain/audience/contact-columns.ts'
import type { PhoneReader } from '#domain/audience/phone.ts'
import { csvRecord } from '#domain/csv/cell.ts'
import { fieldErrors } from '#domain/field/validate.ts'
import type { NewContact } from '#runtime/campaign/audience/audience.ts'
import type { OpenedMember, StoredAudience } from '#runtime/campaign/audience/open-audience.ts'
import { readContact } from '#runtime/campaign/audience/read-contact.ts'
import type { SegmentOf } from '#runtime/campaign/audience/segments.ts'
import { openOptOutLists } from '#runtime/campaign/optout/opt-outs.ts'
import type { SentCampaigns } from '#runtime/campaign/run/compose-campaigns.ts'
import { callerOf as workCallerOf } from '#runtime/isolation/pooled-work.ts'
import { fieldErrorText } from '#runtime/localized-text.ts'
import { contactBulkRow, MAX_BULK_ROWS } from '#schemas/api/audience.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { readJsonBody } from '#schemas/json.ts'
import { accepted, type FieldError, refused } from '#schemas/refusal.ts'
import { RequestRefused } from '../http/failure.ts'
import { handle } from '../http/handle.ts'
import { refuse } from '../problem.ts'
import { requireStillPermitted, runWrite, sessionOf } from './command.ts'
import { type AudienceParts, auditOf, type Found, findAudience } from './contact.ts'
import { knownSegment, segmentOf } from './segment.ts'

const MAX_BYTES = 1_048_576
/** Faults that a refusal names one by one. */
const MAX_ERRORS = 100
/** Contacts that are read together for an export. */
const EXPORTED = 500

/** A row that is not added, from 0. */
interface Rejected {
  readonly row: number
  readonly error: FieldError
}

const UNREADABLE: FieldError = { path: '', code: 'format' }

/** Rows of newline-delimited JSON; undefined for a line that is not JSON. */
const linesOf = (body: Buffer): readonly (Json | undefined)[] => {
  const rows: (Json | undefined)[] = []
  for (let from = 0; from < body.length; ) {
    const end = body.indexOf(0x0a, from)
    const line = body.subarray(from, end === -1 ? body.length : end)
    from = end === -1 ? body.length : end + 1
    if (line.every(byte => byte === 0x20 || byte === 0x0d)) continue
    const read = readJsonBody(line)
    rows.push(read.ok ? read.value : undefined)
    if (rows.length > MAX_BULK_ROWS) break
  }
  return rows
}

/** The valid contacts of the rows, and what is wrong with the others. */
const readRows = async (rows: readonly (Json | undefined)[], readPhone: PhoneReader) => {
  const contacts: NewContact[] = []
  const rejected: Rejected[] = []
  const slices = new TimeSlicer()
  for (const [row, given] of rows.entries()) {
    await slices.pause()
    const parsed = contactBulkRow.safeParse(given)
    const faults = parsed.success ? undefined : fieldErrors(parsed.error, given)
    const read = parsed.success ? readContact(parsed.data, readPhone) : undefined
    if (read?.ok === true) contacts.push(read.value.contact)
    else rejected.push({ row, error: (read?.refusal.errors ?? faults)?.[0] ?? UNREADABLE })
  }
  return { contacts, rejected }
}

const tooMany = refused('validation.failed', {
  errors: [{ path: '', code: 'toolong', params: { max: MAX_BULK_ROWS } }],
})

/** Adds many contacts with one call. */
export const addContactBulk = async (app: FastifyInstance, given: AudienceParts): Promise<void> => {
  const { parts } = given
  await app.register(async routes => {
    routes.addContentTypeParser('application/x-ndjson', { parseAs: 'buffer' }, (_request, body, done) => {
      const rows = linesOf(body as Buffer)
      if (rows.length > MAX_BULK_ROWS) done(new RequestRefused(tooMany.refusal))
      else done(null, rows)
    })
    const options = { permission: 'createcontact', bodyLimit: MAX_BYTES }
    handle(routes, 'POST /contact/bulk', options, async (request, reply) => {
      const { partial } = request.query
      const found = await findAudience(given, request, reply, request.query)
      if (found === undefined) return reply
      const { audience, lists, readPhone } = found
      const rows = request.body as readonly (Json | undefined)[]
      const { contacts, rejected } = await readRows(rows, readPhone)
      if (rejected.length > 0 && !partial) {
        const errors = rejected
          .slice(0, MAX_ERRORS)
          .map(({ row, error }) => ({ ...error, path: error.path === '' ? String(row) : `${row}.${error.path}` }))
        return refuse(reply, { code: 'validation.failed', errors })
      }
      const told = rejected.map(({ row, error }) => ({
        ...{ row, field: error.path, code: String(error.params?.rule ?? error.code) },
        message: fieldErrorText(error, request.language),
      }))
      const body = rows.map(row => row ?? null)
      const done = await runWrite(
        parts,
        request,
        reply,
        async (_seed, caller) => {
          const merged = await audience.merge(found.id, contacts, caller.user, caller.permits('updatecontact'))
          const people = contacts.map(({ phone }) => audience.digestsOf({ phone }))
          const suppressed = audience.index.suppressions.suppressedAmong({ lists, category: 'marketing' }, people).size
          return accepted({ result: { ...merged, suppressed, rejected: told } as JsonObject })
        },
        { body },
      )
      return done === undefined ? reply : reply.send(done)
    })
  })
}

const FIXED = ['phone', 'nome'] as const
const FACTS = ['country', 'consent_source', 'consent_time', 'added', 'suppressed']

const contactLines = (audience: StoredAudience, lists: readonly string[], members: readonly OpenedMember[]): string => {
  let lines = ''
  for (const member of members) {
    const { opened, country, added } = member
    if (opened === undefined) continue
    const { phone, nome, fields, consent } = opened
    const isSuppressed = audience.isSuppressed({ lists, category: 'marketing' }, audience.digestsOfRow(member))
    lines += csvRecord([
      ...[phone, nome, ...CONTACT_FIELDS.map(name => fields[name] ?? '')],
      ...[country, consent?.source ?? '', consent?.time ?? '', added, String(isSuppressed)],
    ])
  }
  return lines
}

interface ExportParts extends AudienceParts {
  readonly campaigns: SentCampaigns
}

async function* exportLines({ audience, lists, id }: Found, request: FastifyRequest) {
  const { caller } = sessionOf(request)
  const names = audience.index.fieldNames(id)
  yield `\ufeff${csvRecord([...FIXED, ...CONTACT_FIELDS.map(name => names[name] ?? name), ...FACTS])}`
  for (let after: number | undefined = 0; after !== undefined; ) {
    await requireStillPermitted(caller, 'exportcontact')
    const rows = audience.index.page(id, after, EXPORTED)
    yield contactLines(audience, lists, await audience.openMembers(id, rows))
    after = rows.length < EXPORTED ? undefined : rows.at(-1)?.place
  }
}

/** The people of a segment, each once; their fields have no names, because lists name them differently. */
async function* segmentLines(
  { parts, audiences, campaigns }: ExportParts,
  segment: SegmentOf & { readonly id: string },
  request: FastifyRequest,
) {
  const { caller } = sessionOf(request)
  const { segments } = await campaigns.begun()
  const audience = await audiences.begun()
  const lists = await openOptOutLists(parts.read).over(segment.level)
  yield `\ufeff${csvRecord([...FIXED, ...CONTACT_FIELDS, ...FACTS])}`
  const from = workCallerOf({ hierarchylevel: segment.level }, segment.id)
  for await (const { members } of segments.pages(segment, { from })) {
    await requireStillPermitted(caller, 'exportcontact')
    for (const [of, some] of Map.groupBy(members, member => member.of))
      for (let at = 0; at < some.length; at += EXPORTED)
        yield contactLines(audience, lists, await audience.openMembers(of, some.slice(at, at + EXPORTED)))
  }
}

/** The contacts of a campaign, a list or a segment as a file. */
export const addContactExport = (app: FastifyInstance, given: ExportParts): void => {
  handle(app, 'GET /contact/export', { permission: 'exportcontact' }, async (request, reply) => {
    if (request.query.segment !== undefined) {
      const segment = await segmentOf(given.parts, request, request.query.segment)
      if (segment === undefined) return refuse(reply, { code: 'entity.notfound' })
      const { segments } = await given.campaigns.begun()
      await knownSegment(segments.size(segment))
      const told = { caller: sessionOf(request).caller, correlation: request.id, level: segment.level }
      await given.parts.record.contactsActed({ ...told, type: 'ContactsExported', fields: { segment: segment.id } })
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', 'attachment; filename="contacts.csv"')
        .send(Readable.from(segmentLines(given, segment, request)))
    }
    const found = await findAudience(given, request, reply, request.query)
    if (found === undefined) return reply
    const { caller } = sessionOf(request)
    const told = { caller, correlation: request.id, level: found.level }
    await given.parts.record.contactsActed({ ...told, type: 'ContactsExported', fields: auditOf(found) })
    return reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', 'attachment; filename="contacts.csv"')
      .send(Readable.from(exportLines(found, request)))
  })
}

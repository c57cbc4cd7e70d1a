import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { TimeSlicer } from '#commands/time-slicer.ts'
import { CONTACT_FIELDS } from '#domain/audience/contact-columns.ts'
import type { PhoneReader } from '#domain/audience/phone.ts'
import { csvRecord } from '#domain/csv/cell.ts'
import { fieldErrors } from '#domain/field/validate.ts'
import type { NewContact } from '#runtime/campaign/audience/audience.ts'
import { readContact } from '#runtime/campaign/audience/read-contact.ts'
import { fieldErrorText } from '#runtime/refusal-text.ts'
import { contactBulkRow, MAX_BULK_ROWS } from '#schemas/api/audience.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { readJsonBody } from '#schemas/json.ts'
import { accepted, type FieldError, refused } from '#schemas/refusal.ts'
import { RequestRefused } from '../http/failure.ts'
import { handle } from '../http/handle.ts'
import { refuse } from '../problem.ts'
import { requireStillPermitted, runWrite, sessionOf } from './command.ts'
import { type AudienceParts, type Found, findCampaign } from './contact.ts'

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
      const { campaign, partial } = request.query
      const found = await findCampaign(given, request, reply, campaign)
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
          const merged = await audience.merge(campaign, contacts, caller.user, caller.permits('updatecontact'))
          const people = contacts.map(({ phone }) => audience.digestsOf({ phone }))
          const suppressed = audience.index.countSuppressed({ lists, category: 'marketing' }, people)
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

async function* exportLines({ audience, lists }: Found, campaign: string, request: FastifyRequest) {
  const { caller } = sessionOf(request)
  const names = audience.index.fieldNames(campaign)
  yield `\ufeff${csvRecord([...FIXED, ...CONTACT_FIELDS.map(name => names[name] ?? name), ...FACTS])}`
  for (let after: number | undefined = 0; after !== undefined; ) {
    await requireStillPermitted(caller, 'exportcontact')
    const rows = audience.index.page(campaign, after, EXPORTED)
    let lines = ''
    for (const member of await audience.openMembers(campaign, rows)) {
      const { opened, country, added } = member
      if (opened === undefined) continue
      const { phone, nome, fields, consent } = opened
      const isSuppressed = audience.isSuppressed({ lists, category: 'marketing' }, audience.digestsOfRow(member))
      lines += csvRecord([
        ...[phone, nome, ...CONTACT_FIELDS.map(name => fields[name] ?? '')],
        ...[country, consent?.source ?? '', consent?.time ?? '', added, String(isSuppressed)],
      ])
    }
    yield lines
    after = rows.length < EXPORTED ? undefined : rows.at(-1)?.place
  }
}

/** The contacts of a campaign as a file. */
export const addContactExport = (app: FastifyInstance, given: AudienceParts): void => {
  handle(app, 'GET /contact/export', { permission: 'exportcontact' }, async (request, reply) => {
    const { campaign } = request.query
    const found = await findCampaign(given, request, reply, campaign)
    if (found === undefined) return reply
    const { caller } = sessionOf(request)
    await given.parts.record.contactsExported({ caller, correlation: request.id, campaign, level: found.level })
    return reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', 'attachment; filename="contacts.csv"')
      .send(Readable.from(exportLines(found, campaign, request)))
  })
}

import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { openPhones, type PhoneReader } from '#domain/audience/phone.ts'
import type { Audiences } from '#runtime/campaign/audience/compose-audience.ts'
import type { StoredAudience } from '#runtime/campaign/audience/open-audience.ts'
import { readContact } from '#runtime/campaign/audience/read-contact.ts'
import { openTested, sendCode, sendTest, type TestedCampaign } from '#runtime/campaign/test-send/send-test.ts'
import { MAX_TESTS, type TestNumbers } from '#runtime/campaign/test-send/test-numbers.ts'
import { sendReasonText } from '#runtime/localized-text.ts'
import type { JsonObject } from '#schemas/event.ts'
import { accepted, type FieldError, type Result, refused } from '#schemas/refusal.ts'
import { handle } from '../http/handle.ts'
import type { Parts } from '../port.ts'
import { refuse } from '../problem.ts'
import { callerOf, runWrite, sessionOf } from './command.ts'

interface TestParts {
  readonly parts: Parts
  readonly audiences: Audiences
}
interface Place {
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
const placeOf = async (
  { parts, audiences }: TestParts,
  request: FastifyRequest,
  reply: FastifyReply,
  { id, variant }: { readonly id: string; readonly variant?: 'a' | 'b' | undefined },
): Promise<Place | undefined> => {
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
const allowed = async (
  { numbers, level, tested, readPhone }: Place,
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

function addSend(app: FastifyInstance, given: TestParts): void {
  const { parts, audiences } = given
  handle(app, 'POST /campaign/{id}/test', { permission: 'testcampaign' }, async (request, reply) => {
    const { variant } = request.body
    const place = await placeOf(given, request, reply, { id: request.params.id, variant })
    if (place === undefined) return reply
    const { id, tested } = place
    const phones = await allowed(place, request.body.phones)
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

function addNumbers(app: FastifyInstance, given: TestParts): void {
  const { parts } = given
  const config = { permission: 'testcampaign' }
  handle(app, 'GET /campaign/{id}/testnumbers', config, async (request, reply) => {
    const place = await placeOf(given, request, reply, request.params)
    if (place === undefined) return reply
    const items = await place.numbers.list(place.level)
    return {
      items: items.map(({ id, phone, isVerified: verified }) => ({ id, phone, verified })),
      simulated: place.tested.opened.isSimulated,
    }
  })

  handle(app, 'POST /campaign/{id}/testnumbers', config, async (request, reply) => {
    const place = await placeOf(given, request, reply, request.params)
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
    const place = await placeOf(given, request, reply, request.params)
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
    const place = await placeOf(given, request, reply, request.params)
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
  addSend(app, given)
  addNumbers(app, given)
}

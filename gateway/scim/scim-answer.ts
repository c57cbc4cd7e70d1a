import type { FastifyReply } from 'fastify'
import { ScimFault, type ScimType } from '#domain/scim/syntax.ts'
import type { JsonObject } from '#schemas/event.ts'
import type { Refusal, RefusalCode } from '#schemas/refusal.ts'
import { problemOf } from '../problem.ts'

const SCIM_TYPE = 'application/scim+json; charset=utf-8'
const ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error'
const LIST = 'urn:ietf:params:scim:api:messages:2.0:ListResponse'

/** SCIM refuses values with 400. */
const OF_SCIM: Partial<Record<RefusalCode, { readonly status?: number; readonly scimType: ScimType }>> = {
  'request.unreadable': { scimType: 'invalidSyntax' },
  'validation.failed': { status: 400, scimType: 'invalidValue' },
  'entity.limit': { status: 400, scimType: 'tooMany' },
  'entity.name.taken': { scimType: 'uniqueness' },
  'access.lastadministrator': { scimType: 'mutability' },
  'access.emergency': { scimType: 'mutability' },
  'access.directory': { scimType: 'mutability' },
  'entity.used': { scimType: 'mutability' },
  'auth.level': { status: 400, scimType: 'invalidValue' },
}

/** Names of fields for a client. */
const ATTRIBUTES: Readonly<Record<string, string>> = {
  username: 'userName',
  externalkey: 'externalId',
  firstname: 'name.givenName',
  lastname: 'name.familyName',
  email: 'emails.value',
  name: 'displayName',
}

export const answer = (reply: FastifyReply, status: number, body: JsonObject): FastifyReply =>
  reply.code(status).type(SCIM_TYPE).serializer(JSON.stringify).send(body)

const answerError = (reply: FastifyReply, status: number, detail: string, scimType: ScimType | undefined) =>
  answer(reply.header('cache-control', 'no-store'), status, {
    schemas: [ERROR],
    ...(scimType === undefined ? {} : { scimType }),
    detail,
    status: String(status),
  })

export const refuseFault = (reply: FastifyReply, { scimType, message }: ScimFault): FastifyReply =>
  answerError(reply, 400, message, scimType)

/** The error of RFC 7644, 3.12, for a refusal. */
export const refuseScim = (reply: FastifyReply, refusal: Refusal): FastifyReply => {
  const problem = problemOf(refusal, 'en')
  const { status = problem.status, scimType } = OF_SCIM[refusal.code] ?? {}
  if (status === 503) reply.header('retry-after', '5')
  if (refusal.code === 'request.toomany') reply.header('retry-after', String(refusal.params?.retryAfter ?? 60))
  if (refusal.code === 'request.method') reply.header('allow', String(refusal.params?.allow ?? ''))
  if (status === 401) reply.header('www-authenticate', 'Bearer')
  const named = (refusal.errors ?? []).slice(0, 5).map(({ path }) => ATTRIBUTES[path] ?? path)
  const detail =
    refusal.code === 'entity.name.taken'
      ? `The value of ${named.join(', ')} is taken`
      : `${problem.detail}${named.length === 0 ? '' : ` (${named.join(', ')})`}`
  return answerError(reply, status, detail, scimType)
}

const MAX_COUNT = 100
const MAX_START = 10_000_000

/** Part of a list that a request asks for. */
export interface ListPart {
  /** From 0. */
  readonly offset: number
  readonly count: number
}

const wholeNumber = (name: string, value: unknown, otherwise: number): number => {
  if (value === undefined) return otherwise
  if (typeof value !== 'string' || !/^-?\d{1,9}$/u.test(value))
    throw new ScimFault('invalidValue', `${name} is a whole number`)
  return Number(value)
}

/** @throws ScimFault */
export const partOf = (query: Readonly<Record<string, unknown>>, most = MAX_COUNT): ListPart => {
  const start = wholeNumber('startIndex', query.startIndex, 1)
  const count = wholeNumber('count', query.count, most)
  return { offset: Math.min(Math.max(start, 1), MAX_START) - 1, count: Math.min(Math.max(count, 0), most) }
}

export interface Found<T> {
  readonly items: readonly T[]
  readonly total: number
}

/** Part of a list that is read in pages of a fixed size. */
export const readPart = async <T>(
  { offset, count }: ListPart,
  read: (page: number, size: number) => Promise<Found<T>>,
): Promise<Found<T>> => {
  const page = Math.floor(offset / MAX_COUNT) + 1
  const skipped = offset % MAX_COUNT
  const { items, total } = await read(page, MAX_COUNT)
  const needsNext = skipped + count > MAX_COUNT && page * MAX_COUNT < total
  const next = needsNext ? (await read(page + 1, MAX_COUNT)).items : []
  return { items: [...items, ...next].slice(skipped, skipped + count), total }
}

export const listAnswer = ({ offset }: ListPart, resources: readonly JsonObject[], total: number): JsonObject => ({
  schemas: [LIST],
  totalResults: total,
  startIndex: offset + 1,
  itemsPerPage: resources.length,
  Resources: [...resources],
})

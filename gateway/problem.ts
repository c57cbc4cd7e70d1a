import type { FastifyReply } from 'fastify'
import { fieldErrorText, refusalText } from '#runtime/refusal-text.ts'
import type { Language } from '#schemas/language.ts'
import type { Refusal, RefusalCode } from '#schemas/refusal.ts'

const STATUS: Readonly<Record<RefusalCode, number>> = {
  'request.unreadable': 400,
  'request.idempotency': 422,
  'request.toolarge': 413,
  'request.mediatype': 415,
  'request.method': 405,
  'request.precondition': 428,
  'request.toomany': 429,
  'files.full': 507,
  'auth.required': 401,
  'auth.invalid': 401,
  'auth.locked': 423,
  'auth.twofactor': 401,
  'auth.expired': 401,
  'auth.origin': 403,
  'access.forbidden': 403,
  'access.lacking': 403,
  'access.grant': 403,
  'access.view': 403,
  'access.viewing': 403,
  'access.lastadministrator': 409,
  'entity.notfound': 404,
  'entity.name.taken': 409,
  'entity.conflict': 409,
  'entity.revision': 412,
  'entity.exists': 409,
  'entity.removed': 409,
  'entity.notremoved': 409,
  'entity.occupied': 409,
  'entity.used': 409,
  'entity.busy': 409,
  'entity.parent': 409,
  'import.refused': 422,
  'process.final': 409,
  'selection.toolarge': 422,
  'validation.failed': 422,
  'validation.confirm': 422,
  'bot.transition': 409,
  'task.main': 409,
  'comment.author': 403,
  'comment.first': 409,
  'nlu.training': 409,
  'nlu.busy': 503,
  'nlu.model': 409,
  'nlu.modelfile': 409,
  'nlu.evaluation': 409,
  'simulation.turn': 409,
  'chat.disabled': 404,
  'chat.token': 401,
  'chat.user': 401,
  'chat.stale': 409,
  'chat.ended': 409,
  'bot.stopped': 409,
  'channel.signature': 401,
  'channel.body': 400,
  'channel.message': 422,
  'channel.token': 422,
  'channel.incomplete': 422,
  'channel.numbertaken': 409,
  'channel.untestable': 422,
  'channel.address': 422,
  'channel.profile': 422,
  'channel.answer': 422,
  'channel.unsupported': 422,
  'handler.global': 409,
  'flow.format': 422,
  'flow.toocostly': 422,
  'flow.changed': 409,
  'flow.invalid': 409,
  'test.failed': 422,
  'flow.timeout': 422,
  'version.format': 422,
  'user.password.rules': 422,
  'user.password.same': 422,
  'user.password.confirm': 422,
  'user.password.original': 422,
  'user.forgotten': 409,
  'user.twofactor.missing': 409,
  'nlu.format': 422,
  'oauth.consent': 422,
  'oauth.refused': 422,
  'oauth.answer': 422,
  'outbound.address': 422,
  'outbound.credentials': 422,
  'outbound.private': 422,
  'outbound.unknown': 422,
  'outbound.unreachable': 422,
  'outbound.certificate': 422,
  'outbound.timeout': 422,
  'outbound.redirects': 422,
  'outbound.header': 422,
  'outbound.headers': 422,
  'meta.credentials': 409,
  'meta.token': 422,
  'meta.permission': 422,
  'meta.scope': 422,
  'meta.notfound': 422,
  'meta.toomany': 422,
  'meta.refused': 422,
  'meta.failed': 422,
  'meta.answer': 422,
  'meta.unsubscribed': 422,
  'template.review': 409,
  'template.edit': 409,
  'template.create': 422,
  'template.delete': 409,
  'template.load': 422,
  'campaign.disabled': 409,
  'campaign.open': 409,
  'campaign.none': 409,
  'campaign.notpaused': 409,
  'campaign.incomplete': 409,
  'outbound.answer': 422,
  'ml.channel': 409,
  'ml.settings': 409,
  'ml.unauthorized': 422,
  'ml.notfound': 422,
  'ml.refused': 422,
  'ml.toomany': 422,
  'ml.failed': 422,
  'ml.answer': 422,
  'ml.toolarge': 422,
  'ml.paused': 422,
  'ml.credentials': 422,
  'ml.unsupported': 422,
  'agent.channel': 409,
  'agent.unauthorized': 422,
  'agent.notfound': 422,
  'agent.refused': 422,
  'agent.toomany': 422,
  'agent.failed': 422,
  'agent.answer': 422,
  'agent.gone': 422,
  'agent.nobody': 422,
  'agent.unsupported': 422,
  'agent.clearing': 409,
  'agent.signature': 401,
  'report.setup': 409,
  'feed.format': 422,
  'store.readonly': 503,
  'store.unavailable': 503,
  'server.draining': 503,
  'server.error': 500,
}

/** Not imported: an ES import of that module loads an HTTP client along with it, at every start. */
const { STATUS_CODES } = process.getBuiltinModule('node:http')

/** Retry-After of a 503, s. */
const RETRY_AFTER = 5

/** Body of a refusal (RFC 9457), in the caller's language. */
export const problemOf = (refusal: Refusal, language: Language) => {
  const status = STATUS[refusal.code]
  return {
    type: `urn:parley:problem:${refusal.code}`,
    title: STATUS_CODES[status] ?? 'Error',
    status,
    code: refusal.code,
    detail: refusalText(refusal, language),
    ...(refusal.params === undefined ? {} : { params: refusal.params }),
    ...(refusal.errors === undefined
      ? {}
      : { errors: refusal.errors.map(error => ({ ...error, message: fieldErrorText(error, language) })) }),
  }
}

/** Answers a request with a refusal: the one way out for everything that goes wrong. */
export const refuse = (reply: FastifyReply, refusal: Refusal, more: object = {}): FastifyReply => {
  const problem = problemOf(refusal, reply.request.language)
  if (problem.status === 503) reply.header('retry-after', RETRY_AFTER)
  if (refusal.code === 'request.toomany') reply.header('retry-after', String(refusal.params?.retryAfter ?? 60))
  if (refusal.code === 'request.method') reply.header('allow', String(refusal.params?.allow ?? ''))
  if (refusal.code === 'auth.required' || refusal.code === 'chat.token') reply.header('www-authenticate', 'Bearer')
  return reply
    .code(problem.status)
    .header('cache-control', 'no-store')
    .type('application/problem+json; charset=utf-8')
    .serializer(JSON.stringify)
    .send({ ...problem, ...more })
}

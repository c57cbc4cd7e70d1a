import type { AnswerOf } from '#schemas/api/routes.ts'

export type TriedCall = AnswerOf<'POST /{kind}/{id}/try/call'>
export type TriedFeed = AnswerOf<'POST /{kind}/{id}/try/feed'>
export type TriedScript = AnswerOf<'POST /{kind}/{id}/try/script'>
export type CallAnswer = NonNullable<TriedCall['answer']>
/** Why there is no answer. */
export type Failure = NonNullable<TriedCall['failure']>

import { queryOptions } from '@tanstack/react-query'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { http } from '#web/api/http.ts'

export type Home = AnswerOf<'GET /home'>
export type HomeFlow = Home['flows'][number]
export type HomeChange = Home['changes'][number]
export type HomeBots = NonNullable<Home['bots']>
export type HomeEditing = Home['editing'][number]

export const homeQuery = queryOptions({
  queryKey: ['home'],
  queryFn: () => http.get('/home'),
  refetchInterval: 30_000,
})

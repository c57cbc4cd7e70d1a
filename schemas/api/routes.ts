import type { z } from 'zod'
import type { Json } from '../event.ts'
import { audienceRoutes, campaignRoutes, simulatedNumberRoutes } from './routes/campaign.ts'
import { conversationRoutes, nluRoutes } from './routes/conversation.ts'
import { deskRoutes } from './routes/desk.ts'
import { entityRoutes } from './routes/entity.ts'
import { flowRoutes } from './routes/flow.ts'
import { overviewRoutes } from './routes/overview.ts'
import { sessionRoutes } from './routes/session.ts'

/** The HTTP API in one place: the gateway takes its schemas from here, the web its types. */
export const ROUTES = {
  ...sessionRoutes,
  ...overviewRoutes,
  ...conversationRoutes,
  ...deskRoutes,
  ...audienceRoutes,
  ...nluRoutes,
  ...flowRoutes,
  ...campaignRoutes,
  ...simulatedNumberRoutes,
  ...entityRoutes,
}

export type RouteName = keyof typeof ROUTES
type RouteOf<N extends RouteName> = (typeof ROUTES)[N]

/** Routes that answer a file. */
export type FileRouteName = {
  [N in RouteName]: RouteOf<N> extends { readonly file: true } ? N : never
}[RouteName]

/** As the client sends it. */
export type QueryOf<N extends RouteName> =
  RouteOf<N> extends { readonly query: infer Q extends z.ZodType } ? ClientQuery<z.input<Q>, z.output<Q>> : undefined
/** As the client sends it. */
export type BodyOf<N extends RouteName> =
  RouteOf<N> extends { readonly body: infer B extends z.ZodType } ? DeepReadonly<z.input<B>> : undefined
export type AnswerOf<N extends RouteName> = DeepReadonly<z.output<RouteOf<N>['answer']>>

/** A query string carries numbers and flags as text; the client gives them as they are, and undefined for what it leaves out. */
type ClientQuery<In, Out> = {
  readonly [Name in keyof In]: In[Name] | Flat<Name extends keyof Out ? Out[Name] : never>
}
type Flat<T> = Extract<T, number | boolean>

/** Routes that take a file as the field `file` of a form. */
export type FormRouteName = {
  [N in RouteName]: BodyOf<N> extends { readonly file: string } ? N : never
}[RouteName]

/** Routes that take the text of a file. */
export type TextRouteName = { [N in RouteName]: BodyOf<N> extends string ? N : never }[RouteName]

/** JSON is read-only already, and recursive: it ends the descent. */
type DeepReadonly<T> = [Json] extends [T] ? T : ReadonlyMembers<T>
type ReadonlyMembers<T> = T extends object ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> } : T

import type { z } from 'zod'
import { entityRoutes } from './routes/entity.ts'
import { flowRoutes } from './routes/flow.ts'
import { overviewRoutes } from './routes/overview.ts'
import { sessionRoutes } from './routes/session.ts'

/**
 * The HTTP API in one place: the gateway takes its schemas from here, the web its types. Calls that answer files
 * (exports, downloads) have no JSON answer and are not listed unless they have one.
 */
export const ROUTES = { ...sessionRoutes, ...overviewRoutes, ...flowRoutes, ...entityRoutes }

export type RouteName = keyof typeof ROUTES
type RouteOf<N extends RouteName> = (typeof ROUTES)[N]

/** As the client sends it. */
export type QueryOf<N extends RouteName> =
  RouteOf<N> extends { readonly query: infer Q extends z.ZodType } ? ClientQuery<z.output<Q>> : undefined
/** As the client sends it. */
export type BodyOf<N extends RouteName> =
  RouteOf<N> extends { readonly body: infer B extends z.ZodType } ? z.input<B> : undefined
export type AnswerOf<N extends RouteName> = DeepReadonly<z.output<RouteOf<N>['answer']>>

/** A query string carries numbers and flags as text; every part has a default or may be left out. */
type ClientQuery<Q> = { readonly [Name in keyof Q]?: Q[Name] | undefined }

type DeepReadonly<T> = T extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> }
    : T

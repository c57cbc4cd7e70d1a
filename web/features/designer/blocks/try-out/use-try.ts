import { useEffect, useMemo, useRef, useState } from 'react'
import { isPlainName } from '#domain/flow/variable/variable-use.ts'
import type { AnswerOf } from '#schemas/api/routes.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { folded } from '#schemas/fold-text.ts'
import { isProblem } from '#web/api/failure.ts'
import type { SampledVariable } from '../../inspector/sample-values.ts'
import { createStore, type Store, useStoreValue } from '../../model/store.ts'
import { useDesigner } from '../../session/designer.ts'
import type { FlowAddress } from '../../session/room/flow-address.ts'
import { useMaskedVariables, useSamples } from './use-samples.ts'

const opened = new Map<string, Store<JsonObject>>()

/** Results of tries by the variable that takes them, as long as the page lasts: they may hold personal data. */
export const trialResultsStore = ({ kind, id }: FlowAddress): Store<JsonObject> => {
  const key = `${kind}-${id}`
  const store = opened.get(key) ?? createStore<JsonObject>({})
  opened.set(key, store)
  return store
}

interface Member {
  /** From the variable on: `order.items[0].name`. */
  readonly path: string
  readonly value: Json
}

const MAX_MEMBERS = 50
const STEP = /(?:^|\.)([\p{L}_$][\p{L}\d_$]*)|\[(\d+)\]/uy

/** The value at a path of names and places; undefined where there is none. */
const valueAt = (values: JsonObject, path: string): Json | undefined => {
  let value: Json | undefined = values
  STEP.lastIndex = 0
  while (STEP.lastIndex < path.length) {
    const [whole, name, place] = STEP.exec(path) ?? []
    if (whole === undefined || typeof value !== 'object' || value === null) return undefined
    value = Array.isArray(value)
      ? value[place === undefined ? -1 : Number(place)]
      : Object.entries(value).find(([key]) => key === name)?.[1]
  }
  return value
}

/** Completions after a path's last dot; for a list, members of its first item. */
export const membersOf = (values: JsonObject, typed: string): readonly Member[] => {
  const dot = typed.lastIndexOf('.')
  if (dot <= 0) return []
  const base = typed.slice(0, dot)
  const wanted = folded(typed.slice(dot + 1))
  const found = valueAt(values, base)
  const [first] = Array.isArray(found) ? found : []
  const owner = Array.isArray(found) ? first : found
  const path = Array.isArray(found) ? `${base}[0]` : base
  if (typeof owner !== 'object' || owner === null || Array.isArray(owner)) return []
  return Object.entries<Json>(owner as JsonObject)
    .filter(([name]) => isPlainName(name) && folded(name).includes(wanted))
    .map(([name, value]) => ({ path: `${path}.${name}`, value }))
    .slice(0, MAX_MEMBERS)
}

const MAX_SHOWN = 40

/** A value as a list of members shows it. */
export const memberPreview = (value: Json): string => {
  const text = JSON.stringify(value)
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text
}

export type TriedCall = AnswerOf<'POST /{kind}/{id}/try/call'>
export type TriedFeed = AnswerOf<'POST /{kind}/{id}/try/feed'>
export type TriedScript = AnswerOf<'POST /{kind}/{id}/try/script'>
export type CallAnswer = NonNullable<TriedCall['answer']>
/** Why there is no answer. */
export type Failure = NonNullable<TriedCall['failure']>

interface Tried<T> {
  readonly isRunning: boolean
  readonly result: T | undefined
  readonly run: (properties: JsonObject, values: JsonObject) => void
}

export interface TryInput {
  readonly params: { readonly kind: string; readonly id: string }
  readonly body: { readonly properties: JsonObject; readonly values: JsonObject }
  readonly signal: AbortSignal
}

interface Attempt<T> {
  send(input: TryInput): Promise<T>
  /** The result of an attempt that the server did not answer or refused. */
  failed(failure: Failure): T
}

const failureOf = (error: unknown): Failure =>
  isProblem(error)
    ? { code: error.code, detail: error.message }
    : { code: '', detail: error instanceof Error ? error.message : String(error) }

/** Tries a block on the server. Only the last answer that was asked for is shown. */
export const useTry = <T>({ send, failed }: Attempt<T>): Tried<T> => {
  const { address } = useDesigner()
  const [state, setState] = useState<{ readonly isRunning: boolean; readonly result?: T }>({ isRunning: false })
  const asked = useRef<AbortController>(undefined)
  useEffect(() => () => asked.current?.abort(), [])
  return {
    isRunning: state.isRunning,
    result: state.result,
    run: (properties, values) => {
      asked.current?.abort()
      const own = new AbortController()
      asked.current = own
      setState({ isRunning: true })
      const { kind, id } = address
      send({ params: { kind, id }, body: { properties, values }, signal: own.signal })
        .catch((error: unknown) => failed(failureOf(error)))
        .then(result => own.signal.aborted || setState({ isRunning: false, result }))
    },
  }
}

/** Values of variables whose members a path may name: results of tries before samples, never those of masked ones. */
export const useTrialResults = (known: readonly SampledVariable[]): JsonObject => {
  const { address } = useDesigner()
  const { told } = useSamples(known)
  const masked = useMaskedVariables()
  const tried = useStoreValue(trialResultsStore(address))
  return useMemo(
    () => ({ ...told, ...Object.fromEntries(Object.entries(tried).filter(([name]) => !masked.has(name))) }),
    [told, tried, masked],
  )
}

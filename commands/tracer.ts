/**
 * Names of attributes. A closed list: a word of a person, the value of a variable and an address beyond its host have no
 * name here (docs/adr/0060).
 */
type AttributeName =
  | 'http.request.method'
  | 'http.response.status_code'
  | 'server.address'
  | `parley.${
      | 'action'
      | 'block'
      | 'block.type'
      | 'bot'
      | 'bytes'
      | 'cached'
      | 'channel.type'
      | 'conflicts'
      | 'conversation'
      | 'dialog'
      | 'effect'
      | 'engine'
      | 'entity'
      | 'events'
      | 'from_log'
      | 'model'
      | 'outcome'
      | 'output'
      | 'problem'
      | 'provider'
      | 'release'
      | 'steps'
      | 'taken_over'
      | 'threshold.below'
      | 'tries'
      | 'turn'}`

export type SpanAttributes = { readonly [name in AttributeName]?: string | number | boolean | undefined }

type SpanName = `parley.${
  | 'append'
  | 'claim'
  | 'command'
  | 'decide'
  | 'deliver'
  | 'effect'
  | 'evaluate'
  | 'load'
  | 'nlu'
  | 'projected'
  | 'receive'
  | 'script'
  | 'settings'
  | 'step'
  | 'turn'}`

interface SpanOptions {
  readonly attributes?: SpanAttributes
  /** Default: the running span. */
  readonly parent?: Span
  /**
   * `joins`: the span begins a trace, or continues that of the caller. `begins`: it always begins one. Default: without a
   * parent there is no span.
   */
  readonly trace?: 'joins' | 'begins'
  /** Key of a kept span that caused this one. A trace that begins here is sent if that one is. */
  readonly follows?: string
}

export interface Span {
  set(attributes: SpanAttributes): void
  /** Marks an error: its trace is always sent. `code` is a stable code, never a message. */
  fail(code: string): void
  /** Runs work whose spans have this one as their parent. */
  run<T>(work: () => T): T
  /** Spans that follow this one on this node find it by the key. */
  keep(key: string): void
  /** `at`: ms since 1970. Default: now. */
  end(at?: number): void
}

/** Makes spans. Code that knows what it does opens them; nothing is instrumented from outside. */
export interface Tracer {
  readonly isOn: boolean
  start(name: SpanName, options?: SpanOptions): Span
  current(): Span
  /** Headers of a call to a host: `traceparent` for those of OTEL_PROPAGATE_HOSTS. */
  headersFor(host: string): Readonly<Record<string, string>>
  /** Runs work inside the trace of a caller, if its `traceparent` is valid. */
  receive(traceparent: unknown, work: () => void): void
  /** Sends what waits. */
  close(): Promise<void>
}

const NO_SPAN: Span = {
  set: () => undefined,
  fail: () => undefined,
  run: work => work(),
  keep: () => undefined,
  end: () => undefined,
}

/** Makes no spans. */
export const NO_TRACER: Tracer = {
  isOn: false,
  start: () => NO_SPAN,
  current: () => NO_SPAN,
  headersFor: () => ({}),
  receive: (_traceparent, work) => work(),
  close: async () => undefined,
}

/** Names of errors with which a writer learns that another one was first: the work is repeated or left to it. */
const OVERTAKEN: ReadonlySet<string> = new Set(['WrongRevision', 'LostClaim', 'TurnOvertaken', 'Overtaken'])

/** Runs work in a span, which ends with it. Without a tracer it costs one call. */
export const traced = <T>(
  tracer: Tracer | undefined,
  name: SpanName,
  options: SpanOptions,
  work: (span: Span) => Promise<T>,
): Promise<T> => (tracer?.isOn === true ? inSpan(tracer.start(name, options), work) : work(NO_SPAN))

const inSpan = async <T>(span: Span, work: (span: Span) => Promise<T>): Promise<T> => {
  try {
    return await span.run(() => work(span))
  } catch (error) {
    const name = error instanceof Error ? error.name : 'error'
    if (OVERTAKEN.has(name)) span.set({ 'parley.outcome': name })
    else span.fail(name)
    throw error
  } finally {
    span.end()
  }
}

import { type Context, ROOT_CONTEXT, type SpanContext, SpanStatusCode, TraceFlags, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  type ReadableSpan,
  type Sampler,
  SamplingDecision,
  type SpanProcessor,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import { NO_TRACER, type Span, type SpanAttributes, type Tracer } from '#commands/tracer.ts'
import { NODE_NAME, VERSION } from '#runtime/parts.ts'
import type { Settings } from '#schemas/settings.ts'

/** Traces that wait for their end, to be sent if something in them failed. */
const MAX_WAITING = 5_000
/** Spans of one trace in memory. */
const MAX_SPANS = 500
/** Spans that later ones can follow. */
const MAX_KEPT = 10_000
/** ms for one call to the receiver, and for the last one when the gateway closes. */
const SEND_MS = 3_000

interface WaitingTrace {
  open: number
  hasFailed: boolean
  readonly ended: ReadableSpan[]
}

const isSampled = ({ traceFlags }: SpanContext): boolean => (traceFlags & TraceFlags.SAMPLED) !== 0

/** The same span, marked as sampled: processors drop others. */
const sampled = (span: ReadableSpan): ReadableSpan =>
  Object.create(span, { spanContext: { value: () => ({ ...span.spanContext(), traceFlags: TraceFlags.SAMPLED }) } })

/** Passes sampled spans on, and those of other traces once all are ended and one has failed. */
class FailedTraces implements SpanProcessor {
  readonly #next: SpanProcessor
  readonly #waiting = new Map<string, WaitingTrace>()

  constructor(next: SpanProcessor) {
    this.#next = next
  }

  onStart(span: { spanContext(): SpanContext }): void {
    const context = span.spanContext()
    if (isSampled(context)) return
    const known = this.#waiting.get(context.traceId)
    if (known !== undefined) known.open += 1
    else this.#waiting.set(context.traceId, { open: 1, hasFailed: false, ended: [] })
    if (this.#waiting.size > MAX_WAITING) this.#waiting.delete(this.#waiting.keys().next().value ?? '')
  }

  onEnd(span: ReadableSpan): void {
    const context = span.spanContext()
    if (isSampled(context)) this.#next.onEnd(span)
    const waiting = this.#waiting.get(context.traceId)
    if (waiting === undefined) return
    if (waiting.ended.length < MAX_SPANS) waiting.ended.push(span)
    if (span.status.code === SpanStatusCode.ERROR) waiting.hasFailed = true
    waiting.open -= 1
    if (waiting.open > 0) return
    this.#waiting.delete(context.traceId)
    if (waiting.hasFailed) for (const ended of waiting.ended) this.#next.onEnd(sampled(ended))
  }

  forceFlush(): Promise<void> {
    return this.#next.forceFlush()
  }

  shutdown(): Promise<void> {
    return this.#next.shutdown()
  }
}

/** A share of traces is sampled; a span has the choice of its parent, of its caller, or of the span that it follows. */
const openSampler = (share: number): Sampler => {
  const ratio = new TraceIdRatioBasedSampler(share)
  const choice = (isChosen: boolean) => ({
    decision: isChosen ? SamplingDecision.RECORD_AND_SAMPLED : SamplingDecision.RECORD,
  })
  return {
    shouldSample(context, traceId, _name, _kind, _attributes, [followed]) {
      const before = trace.getSpanContext(context) ?? followed?.context
      if (before !== undefined) return choice(isSampled(before))
      return choice(ratio.shouldSample(context, traceId).decision === SamplingDecision.RECORD_AND_SAMPLED)
    },
    toString: () => `Parley{${share}}`,
  }
}

const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/

const callerContext = (header: unknown): Context => {
  const [, traceId, spanId, flags = '00'] = TRACEPARENT.exec(typeof header === 'string' ? header : '') ?? []
  if (traceId === undefined || spanId === undefined) return ROOT_CONTEXT
  const traceFlags = Number.parseInt(flags, 16) & TraceFlags.SAMPLED
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true })
}

const withoutAbsent = (given: SpanAttributes): Readonly<Record<string, string | number | boolean>> =>
  Object.fromEntries(Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))

const NOTHING = NO_TRACER.current()

/** Sends spans to an OTLP receiver. Has no global state: several gateways fit into one process. */
export const openTracer = (settings: Settings): Tracer => {
  const exporter = new OTLPTraceExporter({
    url: `${settings.OTEL_EXPORTER_OTLP_ENDPOINT}/v1/traces`,
    headers: settings.OTEL_EXPORTER_OTLP_HEADERS ?? {},
    timeoutMillis: SEND_MS,
  })
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': settings.OTEL_SERVICE_NAME,
      'service.version': VERSION,
      'service.instance.id': NODE_NAME,
    }),
    sampler: openSampler(settings.OTEL_TRACES_SAMPLER_ARG),
    spanProcessors: [new FailedTraces(new BatchSpanProcessor({ exporter }))],
  })
  const spans = provider.getTracer('parley', VERSION)
  const contexts = new AsyncLocalStorageContextManager().enable()
  const hosts = new Set(settings.OTEL_PROPAGATE_HOSTS)
  const kept = new Map<string, SpanContext>()
  const contextOf = new WeakMap<Span, Context>()

  const wrap = (span: ReturnType<typeof spans.startSpan>, context: Context): Span => {
    const wrapped: Span = {
      set: attributes => void span.setAttributes(withoutAbsent(attributes)),
      fail: code => void span.setStatus({ code: SpanStatusCode.ERROR, message: code }),
      run: work => contexts.with(context, work),
      keep(key) {
        if (kept.size >= MAX_KEPT) kept.delete(kept.keys().next().value ?? '')
        kept.set(key, span.spanContext())
      },
      end: at => span.end(at),
    }
    contextOf.set(wrapped, context)
    return wrapped
  }

  return {
    isOn: true,
    start(name, { attributes = {}, parent, trace: kind, follows } = {}) {
      const under = kind === 'begins' ? ROOT_CONTEXT : ((parent && contextOf.get(parent)) ?? contexts.active())
      if (kind === undefined && trace.getSpanContext(under) === undefined) return NOTHING
      const followed = follows === undefined ? undefined : kept.get(follows)
      const links = followed === undefined ? [] : [{ context: followed }]
      const span = spans.startSpan(name, { attributes: withoutAbsent(attributes), links }, under)
      return wrap(span, trace.setSpan(under, span))
    },
    current() {
      const context = contexts.active()
      const span = trace.getSpan(context)
      return span === undefined ? NOTHING : wrap(span, context)
    },
    headersFor(host) {
      const at = hosts.has(host.toLowerCase()) ? trace.getSpanContext(contexts.active()) : undefined
      if (at === undefined) return {}
      return { traceparent: `00-${at.traceId}-${at.spanId}-0${at.traceFlags & TraceFlags.SAMPLED}` }
    },
    receive: (traceparent, work) => contexts.with(callerContext(traceparent), work),
    async close() {
      const late = new Promise<void>(resolve => setTimeout(resolve, SEND_MS).unref())
      // A receiver that is away must not stop the gateway from closing.
      await Promise.race([provider.shutdown().catch(() => undefined), late])
      contexts.disable()
    },
  }
}

import type { Span, SpanAttributes, Tracer } from '#commands/tracer.ts'
import type { AnswerOf, Effect, EffectAnswer } from '#domain/conversation/effect.ts'
import type { TurnResult } from '#domain/conversation/run-turn.ts'
import type { EnteredStep } from '#domain/conversation/turn.ts'

/** Whether the likeliest intent is less certain than the model asks for. */
export const isBelowThreshold = (answer: AnswerOf<'nlu'>): boolean =>
  answer.ok && (answer.intents[0]?.confidence ?? 0) < (answer.threshold ?? Number.MIN_VALUE)

/** Codes of services that a bot does not have. */
const ABSENT: ReadonlySet<string> = new Set(['unavailable', 'noproject', 'nomodel', 'nobrain'])
export const isAbsent = (outcome: string): boolean => ABSENT.has(outcome)

/** Stable code of an answer: `done`, or why it has no result. */
export const effectOutcome = (answer: EffectAnswer): string => {
  switch (answer.kind) {
    case 'evaluate':
      return answer.values.flatMap(value => (value.ok ? [] : [value.fault]))[0] ?? 'done'
    case 'script':
      return answer.ok ? 'done' : 'failed'
    case 'rest':
      return answer.ok ? 'done' : answer.error.code
    case 'holiday':
    case 'pause':
      return 'done'
    default:
      return answer.ok ? 'done' : answer.code
  }
}

/** Steps of one turn with a span; the effects of later ones belong to the turn. */
const MAX_STEPS = 300

/** An expression that fails is the flow's own business; a service that fails is an error. */
const isError = ({ kind }: EffectAnswer, outcome: string): boolean =>
  kind !== 'evaluate' && outcome !== 'done' && !isAbsent(outcome)

const spanOf = (kind: Effect['kind']) =>
  kind === 'evaluate' || kind === 'script' || kind === 'nlu' ? (`parley.${kind}` as const) : ('parley.effect' as const)

/** The spans below that of a turn: its steps and their effects. */
export class TurnTrace {
  readonly #tracer: Tracer
  readonly #turn: Span
  readonly #steps: { readonly span: Span; end?: number }[] = []

  constructor(tracer: Tracer, turn: Span) {
    this.#tracer = tracer
    this.#turn = turn
  }

  entered({ dialog, block, type }: EnteredStep): void {
    this.#endLast()
    if (this.#steps.length >= MAX_STEPS) return
    const attributes = { 'parley.dialog': dialog, 'parley.block': block, 'parley.block.type': type }
    this.#steps.push({ span: this.#tracer.start('parley.step', { parent: this.#turn, attributes }) })
  }

  /** The parent of understanding is the turn; that of other effects is the running step. */
  async effect({ kind }: Effect, fromLog: boolean, work: () => Promise<EffectAnswer>): Promise<EffectAnswer> {
    const last = this.#steps.at(-1)
    const parent = kind === 'nlu' || last === undefined || last.end !== undefined ? this.#turn : last.span
    const attributes = { 'parley.effect': kind, 'parley.from_log': fromLog }
    const span = this.#tracer.start(spanOf(kind), { parent, attributes })
    try {
      const answer = await span.run(work)
      span.set(answered(answer))
      const outcome = effectOutcome(answer)
      if (isError(answer, outcome)) span.fail(outcome)
      return answer
    } catch (error) {
      span.fail(error instanceof Error ? error.name : 'error')
      throw error
    } finally {
      span.end()
    }
  }

  /** Steps get their outputs, which are known now. */
  finish({ steps, failed }: Pick<TurnResult, 'steps' | 'failed'>): void {
    this.#endLast()
    for (const [place, { span, end }] of this.#steps.entries()) {
      const step = steps[place]
      const output = step?.out ?? step?.calls
      span.set({ 'parley.output': output, 'parley.problem': step === undefined ? failed?.limit : step.problem?.code })
      span.end(end)
    }
  }

  #endLast(): void {
    const last = this.#steps.at(-1)
    if (last !== undefined) last.end ??= Date.now()
  }
}

const answered = (answer: EffectAnswer): SpanAttributes => ({
  'parley.outcome': effectOutcome(answer),
  ...(answer.kind === 'nlu' ? { 'parley.threshold.below': isBelowThreshold(answer) } : {}),
})

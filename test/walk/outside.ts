import type { Effect, EffectAnswer } from '#domain/conversation/effect.ts'
import { expressionJob } from '#domain/conversation/evaluate.ts'
import { valueNamed } from '#domain/conversation/variables.ts'
import type { Evaluator } from '#domain/expression/interruptible.ts'
import { prepareJob } from '#domain/expression/run-job.ts'
import { type Outside, performEffect } from '#runtime/conversation/effect/perform-effect.ts'
import { openPool } from '#runtime/isolation/pool.ts'
import { openSandbox, readFeedInPool } from '#runtime/isolation/pooled-work.ts'
import type { Call } from '#runtime/outbound/call.ts'
import type { Json } from '#schemas/event.ts'
import { accepted, refused } from '#schemas/refusal.ts'
import { type Alternative, bodyWith, type Outcome } from './call-outcome.ts'

/** A call as the service of a walk looks at it. `path`: with its query, without the origin. */
export interface WalkRequest {
  readonly method: string
  readonly path: string
  readonly body: string
}

/** Default answer of a service. */
export type WalkService = (request: WalkRequest) => { readonly status: number; readonly body: Json }

/** In this thread: nothing that a walk evaluates is without an end. */
const evaluate: Evaluator['evaluate'] = async job => (await prepareJob(job))()
const evaluator: Evaluator = {
  evaluate,
  evaluateAll: async jobs => ({ outcomes: await Promise.all(jobs.map(({ job }) => evaluate(job))), ms: 0 }),
}

const pool = openPool()
const sandbox = openSandbox(pool, { level: 'l' })
/** The same script with the same parameters gives the same. */
const runs = new Map<string, ReturnType<typeof sandbox.run>>()
const run: Outside['sandbox']['run'] = (job, isSlow) => {
  const key = JSON.stringify(job)
  const known = runs.get(key) ?? sandbox.run(job, isSlow)
  runs.set(key, known)
  return known
}

export const ERROR_STATUS = 500

/** Outcomes of a turn's calls, in their order. */
export type Plan = readonly (Alternative | 'good')[]

/** The outside of one turn: its calls have the outcomes that are planned, and the service's own answer beyond them. */
export class TurnOutside {
  /** Variables in which the turn's calls keep their answers, in their order. */
  readonly calls: string[] = []
  /** Outcomes of these calls. */
  readonly outcomes: Outcome[] = []
  readonly #plan: Plan
  readonly #service: WalkService

  constructor(service: WalkService, plan: Plan) {
    this.#service = service
    this.#plan = plan
  }

  async answer(effect: Effect): Promise<EffectAnswer> {
    if (effect.kind === 'evaluate') {
      const values = await Promise.all(
        effect.jobs.map(async job => {
          const outcome = await evaluator.evaluate(expressionJob(job, effect.context))
          return outcome.ok
            ? { ok: true as const, value: (outcome.value ?? null) as Json }
            : { ok: false as const, fault: outcome.fault.code }
        }),
      )
      return { kind: 'evaluate', ms: 0, values }
    }
    const call = effect.kind === 'rest' ? this.#callOf(effect) : refuseCall
    return performEffect(effect, {
      evaluator,
      sandbox: { run },
      readFeed: input => readFeedInPool({ pool, from: { level: 'l' } }, input),
      call,
      secrets: async () => ({}),
      token: async () => refused('entity.notfound'),
    })
  }

  #callOf(effect: Extract<Effect, { kind: 'rest' }>): Call {
    const planned = this.#plan[this.calls.length] ?? 'good'
    this.calls.push(String(effect.properties.resultVariable ?? ''))
    const outcome: Outcome =
      typeof planned === 'object' && 'same' in planned
        ? { body: bodyWith(null, planned.path, valueNamed(effect.context, planned.same) ?? null) }
        : planned
    this.outcomes.push(outcome)
    return async ({ method, url, body = '' }) => {
      if (outcome === 'silence') return refused('outbound.timeout', { params: { ms: 0 } })
      const { pathname, search } = new URL(url)
      const own = { status: ERROR_STATUS, body: null as Json }
      const said =
        outcome === 'error'
          ? own
          : outcome === 'good'
            ? this.#service({ method, path: pathname + search, body })
            : { status: 200, body: outcome.body }
      const bytes = new TextEncoder().encode(JSON.stringify(said.body))
      return accepted({ status: said.status, url, redirects: 0, headers: [], body: bytes, truncated: false })
    }
  }
}

const refuseCall: Call = async () => refused('outbound.private')

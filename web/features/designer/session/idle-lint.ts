import type { FlowModel } from '#domain/flow/document/model.ts'
import type { LintContext, LintFinding } from '#domain/flow/lint/lint-flow.ts'
import { whenIdle } from '#web/idle.ts'
import type { Store } from '../model/store.ts'

const PAUSE = 250
/** ms that a slice may take, well within a frame. */
const SLICE = 6

type Steps = Generator<undefined, readonly LintFinding[]>

/** Expression engines load late; if loading fails, expressions are not checked. */
const expressionSteps = async (flow: FlowModel, { expressions, ...names }: LintContext): Promise<Steps | undefined> => {
  if (expressions === undefined) return undefined
  try {
    const { lintExpressionsInSteps, openFlowEngines } = await import('#domain/flow/lint/lint-expression.ts')
    return lintExpressionsInSteps(flow, expressions, await openFlowEngines(flow, expressions), names)
  } catch {
    return undefined
  }
}

const errorsFirst = (findings: readonly LintFinding[]): readonly LintFinding[] =>
  findings.toSorted((a, b) => Number(b.severity === 'error') - Number(a.severity === 'error'))

/** Checks a flow after each change, in slices while the page is idle: a large one takes longer than a frame. */
export const lintWhenIdle = (
  flow: Store<FlowModel>,
  known: Store<LintContext>,
  tell: (findings: readonly LintFinding[]) => void,
): (() => void) => {
  let timer: ReturnType<typeof setTimeout> | undefined
  let calledOff = () => {}
  let running = false
  let stale = false
  let stopped = false
  const end = () => {
    running = false
    if (stale) soon()
  }
  const inSlices = (steps: Steps) =>
    new Promise<readonly LintFinding[]>((resolve, reject) => {
      const slice = () => {
        try {
          for (const begun = performance.now(); performance.now() - begun < SLICE; ) {
            const step = steps.next()
            if (step.done) return resolve(step.value)
          }
          calledOff = whenIdle(slice)
        } catch (error) {
          reject(error)
        }
      }
      if (!stopped) calledOff = whenIdle(slice)
    })
  const lint = async () => {
    const { lintInSteps } = await import('#domain/flow/lint/lint-flow.ts')
    const [model, context] = [flow.get(), known.get()]
    const found = await inSlices(lintInSteps(model, context))
    const steps = await expressionSteps(model, context)
    const written = steps === undefined ? [] : await inSlices(steps)
    if (!stopped) tell(errorsFirst([...found, ...written]))
    end()
  }
  function soon() {
    stale = running
    if (running) return
    running = true
    timer = setTimeout(() => void lint().catch(end), PAUSE)
  }
  soon()
  const stops = [flow.subscribe(soon), known.subscribe(soon)]
  return () => {
    stopped = true
    clearTimeout(timer)
    calledOff()
    for (const stop of stops) stop()
  }
}

import type { LintContext, LintFinding } from '#domain/flow/lint-flow.ts'
import type { FlowModel } from '#domain/flow/model.ts'
import { whenIdle } from '#web/idle.ts'
import type { Store } from '../store.ts'

const PAUSE = 250
/** ms that a slice may take, well within a frame. */
const SLICE = 6

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
  const lint = async () => {
    const { lintInSteps } = await import('#domain/flow/lint-flow.ts')
    const steps = lintInSteps(flow.get(), known.get())
    const slice = () => {
      for (const begun = performance.now(); performance.now() - begun < SLICE; ) {
        const step = steps.next()
        if (!step.done) continue
        tell(step.value)
        return end()
      }
      calledOff = whenIdle(slice)
    }
    if (!stopped) calledOff = whenIdle(slice)
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

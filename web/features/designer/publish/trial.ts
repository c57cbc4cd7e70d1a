import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { failureOf } from '#web/api/failure.ts'
import { type PublishResult, TRY_PARTS } from '#web/features/publish/index.ts'
import { NOTHING } from '../canvas/canvas-context.ts'
import { type Trial, type TrialStep, useDesigner } from '../session/designer.ts'
import { useNames } from '../session/flow-names.ts'

export interface TrialStart {
  /** Blocks that were published. */
  readonly changed: number
  /** Time that publishing took; undefined for a flow that was published before. */
  readonly ms: number | undefined
  readonly revisions?: Trial['revisions']
}

const withStep = (trial: Trial, change: TrialStep): Trial => ({
  ...trial,
  steps: trial.steps.map(step => (step.is === change.is ? { ...step, ...change } : step)),
})

/** Makes what a chat with the published flow needs, step by step, and opens it beside the canvas. */
export const useTrial = () => {
  const { t } = useTranslation('shell')
  const { trial, canvas } = useDesigner()
  const { bot } = useNames()
  const name = bot?.name ?? ''
  return useCallback(
    async ({ changed, ms, revisions }: TrialStart, { tryIt, parts }: PublishResult) => {
      if (tryIt === undefined) return
      const was = (is: TrialStep['is']): TrialStep => ({ is, state: 'was' })
      const round = (trial.get()?.round ?? 0) + 1
      // Closes the inspector: chat and steps take its width.
      canvas.selection.set(NOTHING)
      trial.set({
        time: Date.now(),
        changed,
        ...(revisions === undefined ? {} : { revisions }),
        bot: name,
        round,
        isFollowed: true,
        hasSteps: true,
        steps: [
          ms === undefined ? was('published') : { is: 'published', state: 'done', ms },
          ...TRY_PARTS.map((part): TrialStep => (parts.has(part) ? { is: part, state: 'waits' } : was(part))),
          { is: 'answer', state: 'waits' },
        ],
      })
      const put = (step: TrialStep) => {
        const now = trial.get()
        if (now?.round === round) trial.set(withStep(now, step))
      }
      let since = performance.now()
      let current: TrialStep['is'] = 'entry'
      try {
        await tryIt({
          onPart: (part, isDone) => {
            current = part
            if (!isDone) since = performance.now()
            if (parts.has(part))
              put(isDone ? { is: part, state: 'done', ms: performance.now() - since } : { is: part, state: 'busy' })
          },
          open: ({ channel }) => {
            const now = trial.get()
            if (now?.round === round) trial.set({ ...withStep(now, { is: 'answer', state: 'busy' }), channel })
          },
        })
      } catch (error) {
        put({ is: current, state: 'failed', text: failureOf(error, t('reach.failed')) })
      }
    },
    [trial, canvas, name, t],
  )
}

/** Whether all is made, and the bot has answered. */
export const isOnAir = ({ steps }: Trial): boolean => steps.every(({ state }) => state === 'done' || state === 'was')

/** The bot has answered for the first time. */
export const answered = (trial: Trial, text: string, ms: number): Trial =>
  trial.steps.some(({ is, state }) => is === 'answer' && state === 'busy')
    ? withStep(trial, { is: 'answer', state: 'done', ms, text })
    : trial

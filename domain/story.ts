import { z } from 'zod'
import { story } from '#schemas/entities/story.ts'
import { accepted } from '#schemas/refusal.ts'
import type { NamedCommand } from './behaviour.ts'
import { eventOf } from './entity.ts'

/** The server alone sends it: its project is trained. `started`: `training_started_at` of that training. */
export const storyTraining: NamedCommand = {
  input: z.strictObject({
    started: z.string(),
    status: z.enum(['started', 'finished', 'failed']),
    /** Why it failed. */
    code: z.string().max(2000).nullable(),
  }),
  decide({ fields }, { started = '', status, code = null }, { time, actor }) {
    const isThis = fields.training_started_at === started
    if (status === 'started') {
      const begun = {
        training_status: 'started',
        training_started_at: started,
        training_started_by: actor,
        training_finished_at: null,
        training_error: null,
      }
      return accepted(isThis ? [] : [eventOf(story, 'TrainingStarted', { fields: begun })])
    }
    if (!isThis || fields.training_status !== 'started') return accepted([])
    const isFinished = status === 'finished'
    const ended = {
      training_status: isFinished ? 'finished' : 'failed',
      training_finished_at: time,
      training_error: isFinished ? null : code,
    }
    return accepted([eventOf(story, isFinished ? 'TrainingFinished' : 'TrainingFailed', { fields: ended })])
  },
}

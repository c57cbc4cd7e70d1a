import type { EffectAnswer } from '#domain/conversation/effect.ts'
import type { Release, TurnSettings } from '#domain/conversation/release.ts'
import type { InnerEffect, InnerSteps } from '#domain/conversation-test/answer-call.ts'
import type { PathStep, Recording } from '#domain/rehearsal/recording.ts'
import {
  type Outcome,
  outcomeOf,
  RecordedAnswers,
  type WalkedTurn,
  walkAgain,
  walkAnew,
} from '#domain/rehearsal/walk.ts'
import { run as runScript } from '../../isolation/script/script-job.ts'
import { SCRIPT_LIMITS } from '../../isolation/script/script-run.ts'
import type { JobSteps } from '../../isolation/work.ts'
import { performInner } from '../kept-test/inner-effect.ts'

/** Conversations that ran one release, to run with what is published and with a draft. */
interface RehearsalInput {
  readonly recorded: Release
  readonly published: Release
  readonly draft: Release
  readonly settings: TurnSettings
  readonly recordings: readonly Recording[]
  /** Answers the turns as well. */
  readonly detailed?: boolean
}

export interface RehearsedConversation {
  readonly id: string
  readonly outcome: Outcome
  readonly today: readonly PathStep[]
  readonly after: readonly PathStep[]
  readonly turns?: { readonly today: readonly WalkedTurn[]; readonly after: readonly WalkedTurn[] }
}

const perform = async (effect: InnerEffect): Promise<EffectAnswer> => {
  if (effect.kind !== 'script') return performInner(effect)
  const time = effect.slow ? SCRIPT_LIMITS.slowTime : SCRIPT_LIMITS.time
  const run = await runScript({ source: effect.source, parameters: effect.parameters, time })
  const failed = run.error?.message ?? run.ended
  return failed === undefined
    ? { kind: 'script', ms: 0, ok: true, value: run.value ?? null }
    : { kind: 'script', ms: 0, ok: false, message: failed }
}

const performed = async <T>(steps: InnerSteps<T>): Promise<T> => {
  let step = steps.next()
  while (!step.done) step = steps.next(await perform(step.value))
  return step.value
}

const rehearse = async (recording: Recording, input: RehearsalInput): Promise<RehearsedConversation> => {
  const { settings, recorded, published, draft, detailed = false } = input
  const answers = new RecordedAnswers(recording)
  const again = await performed(walkAgain({ recording, settings, release: recorded }, answers))
  const anew = (release: Release) => performed(walkAnew({ recording, settings, release }, answers.answers))
  const today = recorded === published ? again : await anew(published)
  const after = await anew(draft)
  return {
    id: recording.id,
    outcome: outcomeOf(recording, { recorded: again, today, after }),
    today: today.path,
    after: after.path,
    ...(detailed ? { turns: { today: today.turns, after: after.turns } } : {}),
  }
}

/** Answers the last conversation; those before it are parts. */
export const run = async (
  input: RehearsalInput,
  { next }: JobSteps<RehearsedConversation>,
): Promise<RehearsedConversation | undefined> => {
  let done: RehearsedConversation | undefined
  for (const recording of input.recordings) {
    if (done !== undefined) next(done)
    done = await rehearse(recording, input)
  }
  return done
}

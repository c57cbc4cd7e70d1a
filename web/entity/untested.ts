import { isProblem, type Problem } from '#web/api/failure.ts'

/** A command that was refused because tests fail or an old revision has errors, and the way past them. */
export interface UntestedQuestion {
  /** Its `publishuntested…` permission goes past them. */
  readonly entity: string
  /** Of the thing. */
  readonly name: string
  /** The blocked operation. */
  readonly what: 'restore' | 'apply' | 'rollback'
  readonly problem: Problem
  /** Page that shows what was refused. */
  readonly place?: string
  /** Does it all the same; rejects with the refusal. */
  goOn(reason: string): Promise<void>
  /** `done`: it was done all the same. */
  answer(done: boolean): void
}

let current: UntestedQuestion | undefined
const listeners = new Set<() => void>()
const put = (question: UntestedQuestion | undefined) => {
  current = question
  for (const listener of listeners) listener()
}

/** Refusals that a reason goes past. */
const isHeld = (error: unknown): error is Problem =>
  isProblem(error) && (error.code === 'test.failed' || error.code === 'flow.outdated')

/** Commands that tests or errors hold back are asked about one at a time, wherever they were given. */
export const untestedPrompt = {
  /** Whether it was done after all; an error that no reason goes past is thrown again. */
  ask: async (error: unknown, question: Omit<UntestedQuestion, 'problem' | 'answer'>): Promise<boolean> => {
    if (!isHeld(error)) throw error
    current?.answer(false)
    return new Promise(resolve =>
      put({
        ...question,
        problem: error,
        answer: done => {
          put(undefined)
          resolve(done)
        },
      }),
    )
  },
  current: () => current,
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
    }
  },
}

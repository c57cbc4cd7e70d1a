import { isProblem, type Problem } from '#web/api/failure.ts'

/** A command that was refused because tests fail, and the way past them. */
export interface UntestedQuestion {
  /** Its `publishuntested…` permission goes past failing tests. */
  readonly entity: string
  /** Of the thing. */
  readonly name: string
  /** The blocked operation. */
  readonly what: 'restore' | 'apply'
  readonly problem: Problem
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

/** Commands that tests hold back are asked about one at a time, wherever they were given. */
export const untestedPrompt = {
  /** Whether it was done after all; an error that is none of failing tests is thrown again. */
  ask: async (error: unknown, question: Omit<UntestedQuestion, 'problem' | 'answer'>): Promise<boolean> => {
    if (!isProblem(error, 422) || error.code !== 'test.failed') throw error
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

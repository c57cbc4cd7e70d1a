import { type EventStoreDouble, startEventStoreDouble } from './event-store-double.ts'
import type { AppendFault, HeadFault, ReadFault } from './fault.ts'
import { type RandomFaultOptions, startRandomFaults } from './random-fault.ts'

/**
 * A double in a separate process: `node double-process.ts <options as JSON>`, controlled over IPC. It ends with its
 * parent. Test code only.
 */
const options = JSON.parse(process.argv[2] ?? '{}')
const double: EventStoreDouble = await startEventStoreDouble(options)
const { faults } = double
let random: ReturnType<typeof startRandomFaults> | undefined

const COMMANDS = {
  append: (...queued: AppendFault[]) => faults.append(...queued),
  read: (...queued: ReadFault[]) => faults.read(...queued),
  head: (...queued: HeadFault[]) => faults.head(...queued),
  freeze: (ms?: number) => faults.freeze(ms),
  thaw: () => faults.thaw(),
  silenceSubscriptions: (areSilent: boolean) => {
    faults.areSubscriptionsSilent = areSilent
  },
  cutSubscriptions: () => faults.cutSubscriptions(),
  changeLeader: (silenceMs: number) => double.changeLeader(silenceMs),
  halfOpen: () => double.halfOpen(),
  startRandom: (seed: number, given: RandomFaultOptions) => {
    random = startRandomFaults(double, seed, given)
  },
  /** Returns the faults that were injected. */
  stopRandom: () => {
    random?.stop()
    return random?.drawn ?? []
  },
}

export type DoubleCommands = typeof COMMANDS

export interface DoubleRequest {
  readonly call: number
  readonly name: keyof DoubleCommands
  readonly args: readonly unknown[]
}

export interface DoubleAnswer {
  /** 0: the double listens. */
  readonly call: number
  readonly value?: unknown
  readonly error?: string
}

const answer = (message: DoubleAnswer): void => void process.send?.(message)

process.on('message', ({ call, name, args }: DoubleRequest) => {
  try {
    const command = COMMANDS[name] as (...args: readonly unknown[]) => unknown
    answer({ call, value: command(...args) })
  } catch (error) {
    answer({ call, error: String(error) })
  }
})
process.on('disconnect', () => process.exit())
answer({ call: 0, value: double.url })

import { setImmediate as immediate } from 'node:timers/promises'
import { createCommandHandler } from '#commands/command-handler.ts'
import { countUpTo, MemoryLog, nodeStore } from '#commands/fixture/memory-store.ts'
import { plainKeys } from '#commands/fixture/plain-keys.ts'
import { type Command, type Outcome, systemCaller } from '#commands/port.ts'
import type { Lookup } from '#domain/lookup.ts'
import { randomOf } from '#test/realtime/random.ts'
import { LogLookup } from './log-lookup.ts'
import { everything, makeWorld, type Random, ROOT, randomCommand } from './stale-world.ts'

/** One command with its answer, and how long the log was when it was asked and when it was answered. */
export interface Answered {
  readonly node: number
  readonly command: Command
  readonly outcome: Outcome
  readonly begin: number
  readonly end: number
}

export interface Episode {
  readonly log: MemoryLog
  readonly keys: ReturnType<typeof plainKeys>
  readonly answers: readonly Answered[]
  /** Answers to a key that was sent again, beside the first. */
  readonly repeats: readonly (readonly [Outcome, Outcome])[]
  /** Number of times without any user administrator. */
  readonly orphaned: number
}

const NODES = 3
const CONCURRENT = 3
export const NOW = new Date('2026-11-22T12:00:00.000Z')

/** A node whose read models follow the log late, and for a while not at all. */
const openNode = (log: MemoryLog, keys: Episode['keys'], random: Random) => {
  const step = async () => {
    for (let left = random(3); left > 0; left -= 1) await immediate()
  }
  const models = new LogLookup()
  let applied = 0
  let cut = 0
  const follow = (count: number) => {
    for (; applied < Math.min(count, log.events.length); applied += 1) {
      const event = log.events[applied]
      if (event !== undefined) models.apply(event)
    }
  }
  const reached: Lookup['reached'] = async position => {
    await step()
    follow(countUpTo(position))
  }
  const commands = createCommandHandler({
    store: nodeStore(log, step),
    keys,
    lookup: models.lookup(reached),
    now: () => NOW,
  })
  return {
    commands,
    /** Its subscription delivers some events, all, or is cut for the next commands. */
    deliver() {
      if (cut > 0) cut -= 1
      else if (random(10) === 0) cut = random(30)
      else follow(random(2) === 0 ? log.events.length : applied + random(10))
    },
  }
}

/** Random commands about few things, given to three nodes of one log. */
export const runEpisode = async (seed: number, commands: number): Promise<Episode> => {
  const random = randomOf(seed)
  const log = new MemoryLog()
  const keys = plainKeys()
  const nodes = Array.from({ length: NODES }, () => openNode(log, keys, random))
  const answers: Answered[] = []
  const repeats: [Outcome, Outcome][] = []
  const execute = (node: number, command: Command) => {
    const commands = nodes[node]?.commands
    if (commands === undefined) throw new Error(`no node ${node}`)
    return commands.execute(command)
  }
  const world = await makeWorld(async wanted => {
    const outcome = await execute(0, { ...wanted, caller: systemCaller(ROOT), correlation: 'world' })
    if (!outcome.ok) throw new Error(`${wanted.entity} ${wanted.action}: ${JSON.stringify(outcome.refusal)}`)
    return outcome
  })

  const send = async (count: number) => {
    const node = random(NODES)
    const wanted = randomCommand(random, world, stream => log.stream(stream).length)
    const key = random(20) === 0 ? { value: `${count}`, method: 'POST', path: '/api', body: '' } : undefined
    const command: Command = { ...wanted, caller: everything, correlation: `${count}`, ...(key && { key }) }
    const begin = log.events.length
    const outcome = await execute(node, command)
    answers.push({ node, command, outcome, begin, end: log.events.length })
    if (key === undefined || !outcome.ok) return
    repeats.push([outcome, await execute(random(NODES), { ...command, correlation: `${count} again` })])
  }

  const running = new Set<Promise<void>>()
  for (let count = 0; count < commands; count += 1) {
    for (const node of nodes) node.deliver()
    const sent: Promise<void> = send(count).finally(() => running.delete(sent))
    running.add(sent)
    while (running.size > random(CONCURRENT)) await Promise.race(running)
  }
  await Promise.all(running)
  return { log, keys, answers, repeats, orphaned: orphanedIn(log) }
}

const orphanedIn = ({ events }: MemoryLog): number => {
  const models = new LogLookup()
  let had = false
  let orphaned = 0
  for (const event of events) {
    models.apply(event)
    const has = models.administrators().length > 0
    if (had && !has) orphaned += 1
    had = has
  }
  return orphaned
}

import { createCommandHandler } from '#commands/command-handler.ts'
import { countUpTo, type MemoryLog, pastStore } from '#commands/fixture/memory-store.ts'
import type { Outcome } from '#commands/port.ts'
import type { StoredEvent } from '#schemas/event.ts'
import { entityStream, processStream } from '#schemas/events/entity.ts'
import { flowStream } from '#schemas/events/flow.ts'
import { LogLookup } from './log-lookup.ts'
import { type Answered, type Episode, NOW } from './stale-episode.ts'

const PROCESSES = processStream('')
/** More states than these are not tried; few commands last so long. */
const MAX_TRIED = 4000

/**
 * Whether a single node, without state in memory, gives the same answer at some moment between the question and the
 * answer. For each stream that the command wrote, that is the moment right before; for the others, any moment within.
 */
export const agreesWithOneNode = async (episode: Episode, answered: Answered): Promise<boolean> => {
  const { log } = episode
  const { command, outcome, begin, end } = answered
  const own = new Map<string, number>()
  for (const event of log.events.slice(begin, end)) {
    if (event.correlation !== command.correlation) continue
    if (event.data.abandoned === true) own.delete(event.stream)
    else if (!own.has(event.stream)) own.set(event.stream, countUpTo(event.position) - 1)
  }
  const id = command.id === '' && outcome.ok ? outcome.id : command.id
  const targets = [entityStream(command.entity, id), flowStream(id)]
  const seen = targets.map(stream => typesOf(log.stream(stream), command.correlation)).join()
  const isProcess = own.keys().some(stream => stream.startsWith(PROCESSES))
  let tried = 0
  for (const moment of momentsOf(begin, end)) {
    tried += 1
    if (tried > MAX_TRIED) break
    const upTo = (stream: string) => {
      const others = stream.startsWith(PROCESSES) ? moment.processes : moment.others
      return own.get(stream) ?? (targets.includes(stream) ? moment.thing : others)
    }
    const { store, written } = pastStore(log, upTo)
    const alone = await aloneOn(store, log, upTo, episode).execute(withoutKey(command))
    const of = command.id === '' && alone.ok ? alone.id : command.id
    const made = [entityStream(command.entity, of), flowStream(of)].map(stream =>
      typesOf(written.stream(stream), command.correlation),
    )
    if (isSame(outcome, alone, isProcess) && made.join() === seen) return true
  }
  return false
}

const withoutKey = ({ key: _, ...command }: Answered['command']) => command

interface Moment {
  readonly thing: number
  readonly processes: number
  readonly others: number
}

/** Log lengths for the entity itself, for processes and for all others: first equal ones, then all combinations. */
function* momentsOf(begin: number, end: number): Generator<Moment> {
  for (let at = end; at >= begin; at -= 1) yield { thing: at, processes: at, others: at }
  for (let processes = begin; processes <= end; processes += 1) {
    for (let others = end; others >= begin; others -= 1) {
      for (let thing = begin; thing <= end; thing += 1) yield { thing, processes, others }
    }
  }
}

const aloneOn = (
  store: ReturnType<typeof pastStore>['store'],
  log: MemoryLog,
  upTo: (stream: string) => number,
  { keys }: Episode,
) => {
  let models: LogLookup | undefined
  const readModels = () => {
    if (models !== undefined) return models
    models = new LogLookup()
    for (const event of log.events) if (countUpTo(event.position) <= upTo(event.stream)) models.apply(event)
    return models
  }
  const lookup = new LogLookup().lookup(async () => undefined)
  const late: typeof lookup = {
    ...lookup,
    children: (...given) =>
      readModels()
        .lookup(lookup.reached)
        .children(...given),
    referrers: targets => readModels().lookup(lookup.reached).referrers(targets),
    occupants: level => readModels().lookup(lookup.reached).occupants(level),
    administrators: supposing => readModels().lookup(lookup.reached).administrators(supposing),
    ancestors: level => readModels().lookup(lookup.reached).ancestors(level),
    permissionsOfGroups: groups => readModels().lookup(lookup.reached).permissionsOfGroups(groups),
    permissionsOfRoles: roles => readModels().lookup(lookup.reached).permissionsOfRoles(roles),
    permissionsOfUser: user => readModels().lookup(lookup.reached).permissionsOfUser(user),
  }
  return createCommandHandler({ store, keys, lookup: late, now: () => NOW })
}

const typesOf = (events: readonly StoredEvent[], correlation: string) =>
  events
    .filter(event => event.correlation === correlation && !event.type.endsWith('Fenced'))
    .map(({ type, data }) => `${type}(${Object.keys((data.fields ?? {}) as object).sort()})`)
    .join()

/** After a process others may have changed the thing already. */
const isSame = (outcome: Outcome, alone: Outcome, isProcess: boolean): boolean => {
  if (!outcome.ok || !alone.ok) return !outcome.ok && !alone.ok && outcome.refusal.code === alone.refusal.code
  if ((outcome.position === undefined) !== (alone.position === undefined)) return false
  return isProcess || outcome.revision === alone.revision
}

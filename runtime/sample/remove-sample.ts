import type { Commands } from '#commands/command-handler.ts'
import { derivedId } from '#commands/pipeline/append.ts'
import { type Caller, systemCaller } from '#commands/port.ts'
import type { EventStore } from '#commands/store/port.ts'
import type { ReadModels } from '#projections/port.ts'
import { allRows, SYSTEM_SCOPE } from '#projections/scope.ts'
import { ENTITIES, isEntityName } from '#schemas/entities/registry.ts'
import { type IdOf, sampleIds } from './plan.ts'
import { schedule } from './schedule.ts'

/** Kinds in the order in which they are removed; contents of bots and projects are removed with these. */
const KINDS = [
  ...['bot', 'nluproject', 'cannedanswer', 'deskqueue', 'codesample', 'localemessage', 'globalvariable'],
  ...['releasenote', 'user', 'usergroup', 'role', 'hierarchy'],
] as const

export interface RemoveSample {
  readonly store: EventStore
  readonly commands: Pick<Commands, 'execute'>
  readonly read: Pick<ReadModels, 'detail' | 'levels' | 'list' | 'reached'>
  readonly conversations: { removeOf(bot: string): Promise<number> }
  /** The user who removes it. */
  readonly caller: Caller
  /** The moment of its first start. */
  readonly now: Date
  /** Called with the share of the work that is done, 0 to 1. */
  readonly made: (share: number) => void
}

export interface RemovedSample {
  /** Number of removed things, with those in bots and projects not counted. */
  readonly things: number
  readonly conversations: number
  /** Names of what stays, because it holds things of other people. */
  readonly kept: readonly string[]
}

/** Things of the sample that are still there, in the order of their removal. */
const thingsOf = async ({ read }: RemoveSample, idOf: IdOf, now: Date) => {
  const steps = schedule({ now, idOf, startOf: () => '', passwordOf: () => '' })
  const made = steps.flatMap(step => (step.do === 'command' && step.action === 'create' ? [step] : []))
  // Levels below others go first.
  const found = KINDS.flatMap(kind => made.filter(({ entity }) => entity === kind).toReversed())
  const bot = idOf('bot', 'varejo')
  const apps = (await allRows(read, SYSTEM_SCOPE, 'metaapp')).filter(app => app.bot_assigned === bot)
  const accounts = (await allRows(read, SYSTEM_SCOPE, 'metaaccount')).filter(({ metaapp }) =>
    apps.some(({ id }) => id === metaapp),
  )
  const ofAccount = async (entity: 'campaign' | 'template') =>
    (await allRows(read, SYSTEM_SCOPE, entity)).flatMap(({ id, metaaccount }) =>
      accounts.some(account => account.id === metaaccount) ? [{ entity, id }] : [],
    )
  return {
    bots: found.filter(({ entity }) => entity === 'bot').map(({ id }) => id),
    things: [
      ...(await ofAccount('campaign')),
      ...(await ofAccount('template')),
      ...found.filter(({ entity }) => entity === 'bot').map(({ entity, id }) => ({ entity, id })),
      ...accounts.map(({ id }) => ({ entity: 'metaaccount', id })),
      ...apps.map(({ id }) => ({ entity: 'metaapp', id })),
      ...found.filter(({ entity }) => entity !== 'bot').map(({ entity, id }) => ({ entity, id })),
    ],
  }
}

/** Share of the work that things are; conversations are the rest. */
const THINGS = 0.6

/**
 * Removes all that the sample made, as the given user. A level with things of other people stays. May be interrupted and
 * repeated.
 */
export const removeSample = async (given: RemoveSample): Promise<RemovedSample> => {
  const { store, commands, read, conversations, caller: user, now, made } = given
  const idOf = sampleIds(store)
  const subtree = new Set((await read.levels(SYSTEM_SCOPE)).map(({ id }) => id))
  // The user may have no right of some kind of thing; removing the sample needs one right alone.
  const caller = { ...systemCaller(idOf('hierarchy', 'root')), subtree, user: user.user, session: user.session }
  const { bots, things } = await thingsOf(given, idOf, now)
  const kept: string[] = []
  let count = 0
  for (const [place, { entity, id }] of things.entries()) {
    made((place / things.length) * THINGS)
    if (!isEntityName(entity)) continue
    const row = await read.detail(SYSTEM_SCOPE, entity, id)
    if (row === undefined) continue
    const input = ENTITIES[entity].confirm ? { confirm: 'CONFIRM' } : {}
    const correlation = derivedId(idOf('sample', 'removal'), `${entity} ${id}`)
    const outcome = await commands.execute({ entity, action: 'remove', id, input, caller, correlation })
    if (!outcome.ok) {
      kept.push(nameOf(row as object))
      continue
    }
    count += 1
    if (outcome.position !== undefined) await read.reached(outcome.position)
  }
  let talks = 0
  for (const [place, bot] of bots.entries()) {
    made(THINGS + (place / bots.length) * (1 - THINGS))
    talks += await conversations.removeOf(bot)
  }
  return { things: count, conversations: talks, kept }
}

const nameOf = (row: { readonly name?: unknown; readonly username?: unknown }): string =>
  String(row.name ?? row.username ?? '')

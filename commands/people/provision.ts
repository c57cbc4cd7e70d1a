import { z } from 'zod'
import type { Live } from '#domain/behaviour.ts'
import { eventOf, type Fields, withFields } from '#domain/entity.ts'
import { parseInput } from '#domain/field/validate.ts'
import { topOfBranch } from '#domain/people/identity-provider.ts'
import { checkRights } from '#domain/people/permission.ts'
import { hierarchy } from '#schemas/entities/hierarchy.ts'
import { serviceaccount } from '#schemas/entities/serviceaccount.ts'
import { user } from '#schemas/entities/user.ts'
import { usergroup } from '#schemas/entities/usergroup.ts'
import { entityStream, sealContext } from '#schemas/events/entity.ts'
import { objectOf, textOf } from '#schemas/json.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import { type Plan, planChange, planCreate, written } from '../generic/entity-commands.ts'
import { type Keys, openField } from '../keys/secret.ts'
import {
  awaitLookup,
  type CommandContext,
  decisionContext,
  loadLiveTarget,
  lockTree,
  type Run,
  reaches,
} from '../pipeline/command-context.ts'
import type { PlannedCommit } from '../pipeline/commit.ts'
import { createLoader, type Loader } from '../pipeline/load.ts'
import type { EventStore } from '../store/port.ts'
import { loadUserFacts } from './people-facts.ts'
import { findByEmail, findByUsername, ownerOf } from './person.ts'
import { idsOf } from './rights-facts.ts'

/** HMAC of a provider's id for a person. A provider is known by the level that it sees. */
const externalKey = async ({ index }: Pick<Keys, 'index'>, level: string, externalId: string): Promise<string> =>
  index.hmac(JSON.stringify(['scim externalid', level, externalId]))

const inputSchema = z.strictObject({
  /** Fields that people can change as well. */
  fields: z.record(z.string(), z.json()),
  active: z.boolean().optional(),
  /** With the level that the provider sees. */
  external: z.strictObject({ level: z.string(), id: z.string().nullable() }).optional(),
  /** Groups to add and to take away. */
  join: z.array(z.string()).optional(),
  leave: z.array(z.string()).optional(),
})

type Input = z.infer<typeof inputSchema>

/** A person or group that service accounts of SCIM change. */
interface Provisioned {
  readonly entity: 'user' | 'usergroup'
  readonly id: string
}

/** The author of the entity, or of the present `externalId` of a person. */
const directoryOf = async (store: EventStore, { entity, id }: Provisioned): Promise<string | null> => {
  let owner: string | null = null
  const options = entity === 'user' ? {} : { limit: 1 }
  for await (const { revision, actor, data } of store.read(entityStream(entity, id), options)) {
    const { externalkey } = objectOf(data.fields)
    if (revision === 1 || typeof externalkey === 'string') owner = actor
    else if (externalkey === null) owner = null
  }
  return owner
}

/**
 * Whether it belongs to another service account, which still exists: two directories would undo each other's work, and a
 * token of one would lock the people of the other.
 */
const isOfAnother = async (
  { store, loader }: { readonly store: EventStore; readonly loader: Loader },
  account: string | null,
  target: Provisioned,
): Promise<boolean> => {
  const owner = await directoryOf(store, target)
  if (owner === null || owner === account) return false
  return (await loader.load(serviceaccount, owner, { fresh: true })).state.status === 'live'
}

/** The fields that hold the provider's id of a person; none where they hold it already. */
const externalFields = async (
  { keys }: CommandContext,
  id: string,
  { external }: Input,
  present: Fields,
): Promise<Fields> => {
  if (external === undefined) return {}
  const key = external.id === null ? null : await externalKey(keys, external.level, external.id)
  if (key === (present.externalkey ?? null)) return {}
  const externalid =
    external.id && (await keys.personal.encrypt(id, external.id, sealContext(user.name, id, 'externalid')))
  return { externalkey: key, externalid: externalid || null }
}

/** The same plan with more fields in its first event; makes an event where there is none. */
const withMore = (planned: PlannedCommit, verb: string, more: Fields): PlannedCommit => {
  if (Object.keys(more).length === 0) return planned
  const [first = eventOf(user, verb, { fields: {} }), ...others] = planned.events
  return { ...planned, events: [withFields(first, { ...first.data.fields, ...more }), ...others] }
}

const asCommand = (run: Run, action: string, input: Input['fields']): Run => ({
  ...run,
  command: { ...run.command, action, input: input as Run['command']['input'] },
})

const planNew = async (context: CommandContext, run: Run, input: Input): ReturnType<Plan> => {
  const planned = await planCreate(context, asCommand(run, 'create', input.fields))
  // Written by an earlier attempt of the same command.
  if (!planned.ok || planned.value.events.length === 0) return planned
  const external = await externalFields(context, planned.value.target.id, input, {})
  return accepted(
    withMore(planned.value, 'Created', { ...external, ...(input.active === false ? { locked: true } : {}) }),
  )
}

/** Rules of rights that another command of the user has. */
const checkAs = async (context: CommandContext, run: Run, action: string, state: Live) =>
  checkRights(await decisionContext(loadUserFacts, context, asCommand(run, action, {}), state, {}))

/**
 * The level of a person who joins groups, as for claims of a sign-in: groups of two branches are refused. The first groups
 * of a person give the level; later ones leave it.
 */
const levelAfter = async (context: CommandContext, state: Live, groups: readonly string[]): Promise<Result<string>> => {
  const home = state.level ?? ''
  await awaitLookup(context)
  const loaded = await Promise.all(groups.map(id => context.loader.load(usergroup, id)))
  const levels = loaded.flatMap(({ state: group }) => (group.status === 'live' && group.level ? [group.level] : []))
  const isPlaced = idsOf(state.fields.usergroup).length > 0
  const wanted = [...new Set([...levels, ...(isPlaced ? [home] : [])])]
  const top = topOfBranch(await Promise.all(wanted.map(level => context.lookup.ancestors(level))))
  if (top === undefined) return wanted.length === 0 ? accepted(home) : refused('auth.level')
  return accepted(isPlaced ? home : top)
}

const moved = async (
  context: CommandContext,
  run: Run,
  state: Live,
  planned: PlannedCommit,
  level: string,
): ReturnType<Plan> => {
  await lockTree(context, run, state.id)
  const place = (await context.loader.load(hierarchy, level, { fresh: true })).state
  if (place.status !== 'live' || !reaches(run.command.caller, level)) return refused('auth.level')
  const rights = await checkAs(context, run, 'transfer', state)
  if (!rights.ok) return rights
  const transferred = eventOf(user, 'Transferred', { fields: {} })
  return accepted({ ...planned, target: { ...planned.target, level }, events: [transferred, ...planned.events] })
}

/** Whether a person signs in by another name after a change, or gets links for a new password at another address. */
const leadsElsewhere = ({ data }: PlannedCommit['events'][number]): boolean =>
  ['username', 'email'].some(name => name in objectOf(data.fields))

const planExisting = async (context: CommandContext, run: Run, input: Input): ReturnType<Plan> => {
  const target = await loadLiveTarget(context, run)
  if (!target.ok) return target
  const { state } = target.value
  if (state.fields.forgotten === true) return refused('entity.notfound')
  if (await isOfAnother(context, run.command.caller.user, { entity: 'user', id: state.id }))
    return refused('access.directory')
  const { fields, active, join = [], leave = [] } = input
  const present = idsOf(state.fields.usergroup)
  const joined = join.filter(id => !present.includes(id))
  const groups = [...present.filter(id => !leave.includes(id)), ...joined]
  const isSame = joined.length === 0 && groups.length === present.length
  const isLocked = state.fields.locked === true
  const isTaken = (active === false && !isLocked) || present.some(id => leave.includes(id))
  // The way in for when the provider fails must not depend on the provider.
  const isEmergency = state.fields.breakglass === true
  if (isTaken && isEmergency) return refused('access.emergency')
  const changes = isSame ? fields : { ...fields, usergroup: groups }
  const changed = await planChange(context, asCommand(run, 'change', changes))
  if (!changed.ok) return changed
  if (isEmergency && changed.value.events.some(leadsElsewhere)) return refused('access.emergency')
  const external = await externalFields(context, state.id, input, state.fields)
  let planned = withMore(changed.value, 'Changed', external)
  if (active === false && !isLocked) {
    const rights = await checkAs(context, run, 'lock', state)
    if (!rights.ok) return rights
    planned = { ...planned, events: [...planned.events, eventOf(user, 'Locked', { fields: { locked: true } })] }
  }
  if (active === true && isLocked) {
    const unlocked = eventOf(user, 'Unlocked', { fields: { locked: false, loginattempts: 0 } })
    planned = { ...planned, events: [...planned.events, unlocked] }
  }
  if (joined.length === 0) return accepted(planned)
  const level = await levelAfter(context, state, groups)
  if (!level.ok) return level
  return level.value === state.level ? accepted(planned) : moved(context, run, state, planned, level.value)
}

/** Makes or changes a person as an identity provider describes them, with one append. */
export const provisionUser = written(async (context, run) => {
  const input = parseInput(inputSchema, run.command.input)
  if (!input.ok) return input
  const given = input.value as unknown as Input
  return run.command.id === '' ? planNew(context, run, given) : planExisting(context, run, given)
})

/** People by what an identity provider knows of them. */
export interface ProvisionedPeople {
  byUsername(name: string): Promise<string | undefined>
  byEmail(email: string): Promise<string | undefined>
  /** `level`: what the provider sees. */
  byExternalId(level: string, externalId: string): Promise<string | undefined>
  /** The id that the provider of this level gave a person. */
  externalId(level: string, id: string): Promise<string | undefined>
  /** Whether it belongs to another service account than this one. */
  isOfAnother(account: string | null, target: Provisioned): Promise<boolean>
}

export const openProvisionedPeople = (source: {
  readonly store: EventStore
  readonly keys: Keys
}): ProvisionedPeople => {
  const { store, keys } = source
  const loader = createLoader(store)
  const people = { store, keys, loader }
  const externalId = async (level: string, id: string): Promise<string | undefined> => {
    const { state } = await loader.load(user, id, { fresh: true })
    if (state.status !== 'live' || typeof state.fields.externalkey !== 'string') return undefined
    const { externalid = null, externalkey } = state.fields
    const opened = textOf(await openField(keys, user, id, 'externalid', externalid))
    return opened !== '' && (await externalKey(keys, level, opened)) === externalkey ? opened : undefined
  }
  return {
    byUsername: async name => (await findByUsername(people, name))?.id,
    byEmail: async email => (await findByEmail(people, email))?.id,
    async byExternalId(level, id) {
      const owner = await ownerOf(source, 'externalkey', await externalKey(keys, level, id))
      return owner !== undefined && (await externalId(level, owner)) === id ? owner : undefined
    },
    externalId,
    isOfAnother: (account, target) => isOfAnother(people, account, target),
  }
}

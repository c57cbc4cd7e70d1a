import { resolve } from 'node:path'
import {
  type BotThing,
  declarationOf,
  FOLDER_ENTITIES,
  type FolderEntity,
  folderFields,
  nameOf,
} from '#domain/bot-folder/bot-file.ts'
import { parentField } from '#schemas/entity.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { objectOf, own, record, stringsOf } from '#schemas/json.ts'
import { type ExitCode, type Run, WrongUsage } from '../command.ts'
import { type ApiClient, connect, RequestFailed } from './api-client.ts'
import {
  type Base,
  changedFields,
  type Hashes,
  hashesOf,
  type LocalBot,
  type LocalThing,
  readBotFolder,
} from './bot-folder.ts'
import { type Change, changeLines, changeOf, hasFlowChange } from './preview.ts'
import { settle } from './pull.ts'
import {
  type Conflict,
  conflictLines,
  conflictOf,
  isEqual,
  isNewer,
  type Pair,
  pairsOf,
  type RemoteBot,
  type RemoteThing,
  readRemoteBot,
} from './remote-bot.ts'
import { outcomeLines, outcomesOf } from './run-tests.ts'

/** A difference to make: without `local` the thing is removed, without `remote` it is made. */
interface Step {
  readonly local: LocalThing | undefined
  readonly remote: RemoteThing | undefined
}

/** `parley push`. */
export const push: Run = async input => {
  const [folder = ''] = input.operands
  const { yes, publish, base, json } = input.options
  const api = connect(input)
  const read = readBotFolder(folder)
  if (read === undefined) throw new WrongUsage(`${folder} has no bot.yaml: pull first.`)
  const remote = await readRemoteBot(api, read.bot)
  const { local, found } = recognized(read, remote)
  const known = typeof base === 'string' ? baseOf(base, folder, local) : local.base
  const pairs = pairsOf(local.things, remote, new Map([...known, ...found]))
  const report = createReport(json === true, api.url)
  const conflicts = pairs.filter(pair => !isEqual(pair) && isNewer(pair) && !isOnlyThere(pair)).map(conflictOf)
  if (conflicts.length > 0) return report.refused(conflicts)
  const steps = stepsOf(local, pairs)
  const changes = await previewOf(steps, local, pairs)
  const late = publish === true ? unpublishedOf(pairs, found) : []
  report.preview(changes, late)
  if (changes.length === 0 && late.length === 0) {
    if (yes === true && found.size > 0) settle(folder, local, remote, { takes: () => false, knows: () => false })
    return report.done([], 0)
  }
  if (yes !== true) return report.waits()
  await requireRights(api, steps, publish === true ? [...drawnIn(steps), ...late.map(({ thing }) => thing.entity)] : [])
  const made = await makeChanges(api, local, steps, report)
  const now = await readRemoteBot(api, local.bot).catch(error => {
    throw made.failure ?? error
  })
  const takes = ({ id }: Pair) => made.written.has(id)
  settle(folder, adopted(local, made.ids), now, { takes, knows: pair => takes(pair) || pair.id === made.begun })
  if (made.failure !== undefined) throw made.failure
  const flows = [...new Set([...made.flows, ...late.map(({ thing }) => thing.id)])].flatMap(id => now.get(id) ?? [])
  const gate =
    flows.length === 0 ? 0 : await (publish === true ? publishFlows : showGate)(api, local.bot, flows, report)
  return report.done([...made.written], gate)
}

interface Recognized {
  readonly local: LocalBot
  /** Hashes of the recognized things, by id. */
  readonly found: Base
}

/**
 * Gives files without an id the id of what an interrupted push has made of them: a thing that the folder does not know,
 * in the same place, with the same fields, and with the same drawing or none.
 */
const recognized = (local: LocalBot, remote: RemoteBot): Recognized => {
  const known = new Set([...local.base.keys(), ...local.things.flatMap(({ thing }) => thing.id ?? [])])
  const open = [...remote.values()].filter(({ thing }) => !known.has(thing.id))
  const tasks = new Map<string, string>()
  const found = new Map<string, Hashes>()
  // Files of tasks come before those of their dialogs.
  const things = local.things.map((one): LocalThing => {
    const task = tasks.get(one.thing.task ?? '') ?? one.thing.task
    const thing = task === undefined ? one.thing : { ...one.thing, task }
    if (thing.id !== undefined) return one
    const at = open.findIndex(other => isMadeOf(other, thing))
    const [made] = at < 0 ? [] : open.splice(at, 1)
    if (made === undefined) return { ...one, thing }
    const { id, fields } = made.thing
    found.set(id, made.hashes)
    if (thing.entity === 'dialogtask') tasks.set(one.path, id)
    const whole = { ...thing, id, fields }
    return { ...one, thing: whole, hash: hashesOf(whole).hash }
  })
  return { local: { ...local, things }, found }
}

/** Values of fields that a new thing has without being given one. */
const initialFields = (entity: FolderEntity): JsonObject => {
  const { fields } = declarationOf(entity)
  return record(folderFields(entity).map((name): [string, Json] => [name, fields[name]?.initial ?? null]))
}

/** Whether a drawing is as it was made: a start and nothing else. */
const isUndrawn = ({ flowRevision = 0, thing: { flow, js = '' } }: RemoteThing): boolean =>
  flowRevision <= 1 && js === '' && Object.keys(flow?.operators ?? {}).length <= 1

const isMadeOf = (remote: RemoteThing, thing: BotThing): boolean =>
  remote.thing.entity === thing.entity &&
  (remote.thing.task || undefined) === (thing.task || undefined) &&
  changedFields(remote.thing, { ...thing, fields: { ...initialFields(thing.entity), ...thing.fields } }).length === 0 &&
  (isUndrawn(remote) || !hasFlowChange(remote.thing, thing))

/** Drawings that are as in the folder and not as published: a push ended before it published them. */
const unpublishedOf = (pairs: readonly Pair[], found: Base): readonly RemoteThing[] =>
  pairs.flatMap(pair => {
    const { id, remote } = pair
    if (remote === undefined || remote.thing.flow === undefined || !isEqual(pair)) return []
    return remote.isModified === true || (remote.isModified === undefined && found.has(id)) ? [remote] : []
  })

const rightOf = ({ local, remote }: Step): string => {
  const act = local === undefined ? 'delete' : remote === undefined ? 'create' : 'update'
  return `${act}${(local ?? remote)?.thing.entity}`
}

/** Kinds of the drawings that are written. */
const drawnIn = (steps: readonly Step[]): readonly string[] =>
  steps.flatMap(({ local, remote }) => {
    const isDrawn = local?.thing.flow !== undefined && hasFlowChange(remote?.thing, local.thing)
    return isDrawn ? [local.thing.entity] : []
  })

/** @throws RequestFailed before the first change, with the rights that the token lacks */
const requireRights = async (api: ApiClient, steps: readonly Step[], published: readonly string[]): Promise<void> => {
  const { body } = await api.get('/auth/user')
  const held = new Set(stringsOf(own(objectOf(body.user), 'permissions') ?? null))
  const needed = [
    ...steps.map(rightOf),
    ...drawnIn(steps).map(entity => `update${entity}`),
    ...published.map(entity => `publish${entity}`),
  ]
  const missing = [...new Set(needed)].filter(right => !held.has(right))
  if (missing.length > 0)
    throw new RequestFailed(`Nothing was pushed. The token lacks: ${missing.join(', ')}.`, 403, 'access.forbidden')
}

/** New on the server since the pull, and no change of the folder: a push leaves it as it is. */
const isOnlyThere = ({ local, base }: Pair): boolean => local === undefined && base === undefined

const baseOf = (base: string, folder: string, local: LocalBot): Base => {
  const before = readBotFolder(base)
  if (before === undefined) throw new WrongUsage(`${base} has no bot.yaml.`)
  if (before.bot !== local.bot || resolve(base) === resolve(folder))
    throw new WrongUsage(`${base} must be another folder of the bot ${local.bot}.`)
  return new Map(
    before.things.flatMap(({ thing }) => (thing.id === undefined ? [] : [[thing.id, hashesOf(thing)] as const])),
  )
}

const ORDER = FOLDER_ENTITIES.map(({ name }) => name)
const placeOf = ({ local, remote }: Step): number => ORDER.indexOf((local ?? remote)?.thing.entity ?? 'bot')

/** Creations and changes first, targets of references before those that refer to them; then removals, in the opposite order. */
const stepsOf = (local: LocalBot, pairs: readonly Pair[]): readonly Step[] => {
  const fresh = local.things.filter(({ thing }) => thing.id === undefined)
  const differing = pairs.filter(pair => !isEqual(pair) && !isOnlyThere(pair))
  const steps = [...fresh.map((one): Step => ({ local: one, remote: undefined })), ...differing]
  const isRemoval = (step: Step) => step.local === undefined
  return [
    ...steps.filter(step => !isRemoval(step)).sort((one, other) => placeOf(one) - placeOf(other)),
    ...steps.filter(isRemoval).sort((one, other) => placeOf(other) - placeOf(one)),
  ]
}

const previewOf = async (
  steps: readonly Step[],
  local: LocalBot,
  pairs: readonly Pair[],
): Promise<readonly Change[]> => {
  const left = pairs.filter(isOnlyThere).flatMap(({ remote }) => remote?.thing ?? [])
  const all: readonly BotThing[] = [...local.things.map(({ thing }) => thing), ...left]
  const changes: Change[] = []
  for (const step of steps)
    changes.push(await changeOf(step.remote?.thing, step.local?.thing, step.local?.path ?? null, all))
  return changes
}

interface PushResult {
  /** Ids of things that the server has as the folder has them. */
  readonly written: ReadonlySet<string>
  /** Of these, those whose drawings changed. */
  readonly flows: ReadonlySet<string>
  /** Ids that new things were given. */
  readonly ids: ReadonlyMap<LocalThing, string>
  readonly failure?: unknown
  /** Id of the thing that was refused, perhaps after a part of it was written. */
  readonly begun?: string | undefined
}

/**
 * Step by step: a store has no transaction over several streams. Stops at the first refusal. Made changes stay; the next
 * push recognizes them, also after a kill.
 */
const makeChanges = async (
  api: ApiClient,
  local: LocalBot,
  steps: readonly Step[],
  report: Report,
): Promise<PushResult> => {
  const written = new Set<string>()
  const flows = new Set<string>()
  const ids = new Map<LocalThing, string>()
  const tasks = new Map<string, string>()
  let begun: string | undefined
  try {
    for (const { local: mine, remote } of steps) {
      begun = remote?.thing.id
      if (mine === undefined) {
        if (remote !== undefined) await named(remote.thing, remove(api, remote))
      } else {
        const id = remote?.thing.id ?? (await named(mine.thing, create(api, local, mine.thing, tasks)))
        begun = id
        if (remote === undefined) ids.set(mine, id)
        if (mine.thing.entity === 'dialogtask') tasks.set(mine.path, id)
        if (await named(mine.thing, write(api, id, mine.thing, remote))) flows.add(id)
      }
      if (begun !== undefined) written.add(begun)
    }
    return { written, flows, ids }
  } catch (failure) {
    report.stopped(written.size, steps.length)
    return { written, flows, ids, failure, begun }
  }
}

/** A refusal names the thing. */
const named = async <T>(thing: BotThing, work: Promise<T>): Promise<T> => {
  try {
    return await work
  } catch (error) {
    if (error instanceof RequestFailed && error.status !== 0)
      throw new RequestFailed(`"${nameOf(thing)}": ${error.message}`, error.status, error.code)
    throw error
  }
}

const remove = async (api: ApiClient, { thing, revision }: RemoteThing): Promise<void> => {
  const body = declarationOf(thing.entity).confirm ? { confirm: 'CONFIRM' } : {}
  await api.send('DELETE', `/${thing.entity}/${thing.id}`, { body, only: revision })
}

/** @returns whether its drawing changed */
const write = async (
  api: ApiClient,
  id: string,
  thing: BotThing,
  remote: RemoteThing | undefined,
): Promise<boolean> => {
  const { entity, flow, js } = thing
  const names = remote === undefined ? [] : changedFields(remote.thing, thing)
  if (remote !== undefined && names.length > 0) {
    const body = record(names.map((name): [string, Json] => [name, own(thing.fields, name) ?? null]))
    await api.send('PATCH', `/${entity}/${id}`, { body, only: remote.revision })
  }
  if (flow === undefined || !hasFlowChange(remote?.thing, thing)) return false
  const path = `/${entity}/${id}/flow`
  const only = remote?.flowRevision ?? (await api.get(path)).revision ?? 0
  await api.send('PUT', path, { body: { ...flow, ...(js === undefined ? {} : { js }) }, only })
  return true
}

const create = async (
  api: ApiClient,
  { bot }: LocalBot,
  thing: BotThing,
  tasks: ReadonlyMap<string, string>,
): Promise<string> => {
  const { entity, task, fields } = thing
  if (thing.id !== undefined)
    throw new RequestFailed(`no ${entity} of the bot has the id ${thing.id}: remove the line to make it.`, 0, 'id')
  const parent = parentField(declarationOf(entity))
  const within: JsonObject = parent === 'bot' ? { bot } : { dialogtask: tasks.get(task ?? '') ?? task ?? '' }
  const { body } = await api.send('POST', `/${entity}`, { body: { ...fields, ...within } })
  return String(body.id)
}

/** The folder with the ids of its new things: their files are replaced by those that have the id. */
const adopted = (local: LocalBot, ids: ReadonlyMap<LocalThing, string>): LocalBot => ({
  ...local,
  things: local.things.map(one => {
    const id = ids.get(one)
    return id === undefined ? one : { ...one, thing: { ...one.thing, id } }
  }),
})

type Gate = (api: ApiClient, bot: string, flows: readonly RemoteThing[], report: Report) => Promise<number>

/** Shows gating tests that fail with these drawings: publishing would be refused. */
const showGate: Gate = async (api, bot, flows, report) => {
  const rows = await api.list('conversationtest', { bot, gating: 'true' })
  const idsOf = (entity: string) => flows.flatMap(({ thing }) => (thing.entity === entity ? [thing.id] : []))
  const publish = { dialogs: idsOf('dialog'), handlers: idsOf('handler') }
  const outcomes = await outcomesOf(api, bot, stringsOf(rows.map(({ id }) => id ?? null)), { publish })
  for (const outcome of outcomes) if (outcome.passed !== true) report.finding(outcomeLines(outcome))
  return 0
}

/** Publishes them; @returns how many were refused */
const publishFlows: Gate = async (api, _bot, flows, report) => {
  let refused = 0
  for (const { thing, flowRevision } of flows) {
    try {
      const body = { flowrevision: flowRevision }
      await api.send('POST', `/${thing.entity}/${thing.id}/publish`, { body })
    } catch (error) {
      if (!(error instanceof RequestFailed) || error.status === 0) throw error
      refused += 1
      report.finding([`"${nameOf(thing)}" was not published: ${error.message}`])
    }
  }
  return refused
}

interface Report {
  refused(conflicts: readonly Conflict[]): ExitCode
  /** `late`: is published without a change. */
  preview(changes: readonly Change[], late: readonly RemoteThing[]): void
  waits(): ExitCode
  stopped(done: number, of: number): void
  finding(lines: readonly string[]): void
  done(written: readonly string[], refused: number): ExitCode
}

const lateLine = ({ thing }: RemoteThing): string =>
  `> ${thing.entity} "${nameOf(thing)}" is published: its draft is newer`

/** Lines for people, or one object at the end. */
const createReport = (isJson: boolean, url: string): Report => {
  let preview: readonly Change[] = []
  let unpublished: readonly RemoteThing[] = []
  const findings: string[] = []
  const say = (text: string) => isJson || process.stdout.write(`${text}\n`)
  const end = (code: ExitCode, more: object): ExitCode => {
    const publishes = unpublished.map(({ thing: { entity, id } }) => ({ entity, id }))
    const whole = { url, changes: preview, publishes, findings, conflicts: [], ...more }
    if (isJson) process.stdout.write(`${JSON.stringify(whole)}\n`)
    return code
  }
  return {
    refused(conflicts) {
      const text = `The server has changes that the folder lacks:\n${conflictLines(conflicts)}Nothing was pushed. Pull first.\n`
      if (!isJson) process.stderr.write(text)
      return end(4, { pushed: false, conflicts })
    },
    preview(changes, late) {
      preview = changes
      unpublished = late
      const lines = [...changes.flatMap(changeLines), ...late.map(lateLine)]
      say(lines.length === 0 ? 'The server has all of it.' : lines.join('\n'))
    },
    waits() {
      const more = unpublished.length === 0 ? '' : `, to publish: ${unpublished.length}`
      say(`Changes for ${url}: ${preview.length}${more}. Nothing was pushed: --yes makes them.`)
      return end(3, { pushed: false })
    },
    stopped(done, of) {
      const rest = done === 0 ? '' : ' They stay on the server; the same push again makes the rest.'
      process.stderr.write(`Stopped: ${done} of ${of} changes were made.${rest}\n`)
      end(1, { pushed: done > 0, stopped: { done, of } })
    },
    finding(lines) {
      findings.push(...lines)
      say(lines.map((line, at) => (at === 0 ? `! ${line}` : `  ${line}`)).join('\n'))
    },
    done(written, refused) {
      if (written.length > 0) say(`Changes pushed to ${url}: ${written.length}.`)
      return end(refused === 0 ? 0 : 1, { pushed: written.length > 0 })
    },
  }
}

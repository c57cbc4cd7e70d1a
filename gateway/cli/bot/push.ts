import { resolve } from 'node:path'
import { type BotThing, declarationOf, FOLDER_ENTITIES, nameOf } from '#domain/bot-folder/bot-file.ts'
import { parentField } from '#schemas/entity.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { own, record, stringsOf } from '#schemas/json.ts'
import { type ExitCode, type Run, WrongUsage } from '../command.ts'
import { type ApiClient, connect, RequestFailed } from './api-client.ts'
import { type Base, type LocalBot, type LocalThing, readBotFolder } from './bot-folder.ts'
import { type Change, changedFields, changeLines, changeOf, hasFlowChange } from './preview.ts'
import { settle } from './pull.ts'
import {
  type Conflict,
  conflictLines,
  conflictOf,
  isEqual,
  isNewer,
  type Pair,
  pairsOf,
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
  const local = readBotFolder(folder)
  if (local === undefined) throw new WrongUsage(`${folder} has no bot.yaml: pull first.`)
  const remote = await readRemoteBot(api, local.bot)
  const pairs = pairsOf(local.things, remote, typeof base === 'string' ? baseOf(base, folder, local) : local.base)
  const report = createReport(json === true, api.url)
  const conflicts = pairs.filter(pair => !isEqual(pair) && isNewer(pair) && !isOnlyThere(pair)).map(conflictOf)
  if (conflicts.length > 0) return report.refused(conflicts)
  const steps = stepsOf(local, pairs)
  const changes = await previewOf(steps, local, pairs)
  report.preview(changes)
  if (changes.length === 0) return report.done([], 0)
  if (yes !== true) return report.waits()
  const made = await makeChanges(api, local, steps, report)
  const now = await readRemoteBot(api, local.bot)
  const takes = ({ id }: Pair) => made.written.has(id)
  settle(folder, adopted(local, made.ids), now, { takes, knows: pair => takes(pair) || pair.id === made.begun })
  if (made.failure !== undefined) throw made.failure
  const flows = [...made.flows].flatMap(id => now.get(id) ?? [])
  const gate =
    flows.length === 0 ? 0 : await (publish === true ? publishFlows : showGate)(api, local.bot, flows, report)
  return report.done([...made.written], gate)
}

/** New on the server since the pull, and no change of the folder: a push leaves it as it is. */
const isOnlyThere = ({ local, base }: Pair): boolean => local === undefined && base === undefined

const baseOf = (base: string, folder: string, local: LocalBot): Base => {
  const before = readBotFolder(base)
  if (before === undefined) throw new WrongUsage(`${base} has no bot.yaml.`)
  if (before.bot !== local.bot || resolve(base) === resolve(folder))
    throw new WrongUsage(`${base} must be another folder of the bot ${local.bot}.`)
  return new Map(
    before.things.flatMap(({ thing, hash }) => (thing.id === undefined ? [] : [[thing.id, hash] as const])),
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

/** Step by step. A refusal ends it: what was written until then stays, and the next push does the rest. */
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
  preview(changes: readonly Change[]): void
  waits(): ExitCode
  stopped(done: number, of: number): void
  finding(lines: readonly string[]): void
  done(written: readonly string[], refused: number): ExitCode
}

/** Lines for people, or one object at the end. */
const createReport = (isJson: boolean, url: string): Report => {
  let preview: readonly Change[] = []
  const findings: string[] = []
  const say = (text: string) => isJson || process.stdout.write(`${text}\n`)
  const end = (code: ExitCode, more: object): ExitCode => {
    if (isJson) process.stdout.write(`${JSON.stringify({ url, changes: preview, findings, conflicts: [], ...more })}\n`)
    return code
  }
  return {
    refused(conflicts) {
      const text = `The server has changes that the folder lacks:\n${conflictLines(conflicts)}Nothing was pushed. Pull first.\n`
      if (!isJson) process.stderr.write(text)
      return end(4, { pushed: false, conflicts })
    },
    preview(changes) {
      preview = changes
      say(changes.length === 0 ? 'The server has all of it.' : changes.flatMap(changeLines).join('\n'))
    },
    waits() {
      say(`Changes for ${url}: ${preview.length}. Nothing was pushed: --yes makes them.`)
      return end(3, { pushed: false })
    },
    stopped: (done, of) => void process.stderr.write(`Stopped: ${done} of ${of} changes were made.\n`),
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

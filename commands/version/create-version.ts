import type { Live } from '#domain/behaviour.ts'
import { decideCreate, eventOf, type Fields, withSource } from '#domain/entity.ts'
import { bot as botEntity } from '#schemas/entities/bot.ts'
import { version } from '#schemas/entities/version.ts'
import { entityStream, type ProcessPlan, type Step } from '#schemas/events/entity.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import type { PackedText } from '../packed-text.ts'
import { type Author, derivedId } from '../pipeline/append.ts'
import {
  type Attempt,
  awaitLookup,
  type CommandContext,
  type CommandResult,
  parseCreate,
  placeOf,
  type Run,
  unusedId,
} from '../pipeline/command-context.ts'
import { commit } from '../pipeline/commit.ts'
import { runProcess } from '../process/process-report.ts'
import { captureVersion, liveChildren } from './capture-version.ts'
import { writeContent } from './content.ts'

interface NewVersion {
  readonly id: string
  readonly bot: Live
  readonly content: PackedText
  readonly fields: Fields
}

/** Writes a version's content and then, as one process, the version and that the one before it is the latest no more. */
const storeVersion = async (
  context: CommandContext,
  run: Run,
  { id, bot, content, fields: given }: NewVersion,
): Promise<Result<CommandResult>> => {
  const { level } = bot
  const stored = await writeContent(context, run.author, id, level, content)
  const on = { entity: version.name, id }
  const fields = { ...given, ...stored, bot: bot.id, latest: true }
  const plan: ProcessPlan = {
    kind: 'version',
    root: id,
    steps: [
      { do: 'create', ...on, level, fields },
      { do: 'supersede', ...on, bot: bot.id },
    ],
  }
  return runProcess(context, run, plan, id)
}

/** Keeps the present state of a bot. Input {bot, name, description}. */
export const createVersion: Attempt = async (context, run) => {
  const parsed = await parseCreate(version, run.command.input, run.author.seed)
  if (!parsed.ok) return parsed
  const bot = await reachableBot(context, run, parsed.value.fields)
  if (!bot.ok) return bot
  const { name, description = null } = parsed.value.fields
  const words = typeof description === 'string' ? description : null
  const { position, ...content } = await captureVersion(context, bot.value, { name: String(name), description: words })
  const { id, loaded } = await unusedId(context, run)
  if (loaded.state.status !== 'none') return accepted({ id, revision: loaded.tail.revision })
  const fields = { name: name ?? null, description: words, uploaded: false, position }
  return storeVersion(context, run, { id, bot: bot.value, content, fields })
}

/** Keeps an uploaded version file: the content of the command, or `file` of its input {bot, file} as text or JSON. */
export const uploadVersion: Attempt = async (context, run) => {
  const { bot: botId = null, file: input = null } = run.command.input
  const bot = await reachableBot(context, run, { bot: botId })
  if (!bot.ok) return bot
  const given = run.command.content ?? [Buffer.from(typeof input === 'string' ? input : JSON.stringify(input))]
  const file = await context.versions.check(given, { level: bot.value.level ?? '', bot: bot.value.id })
  if (!file.ok) return file
  const { name: named, description, ...content } = file.value
  const name = named.trim() === '' ? 'Version' : named
  const { id, loaded } = await unusedId(context, run)
  if (loaded.state.status !== 'none') return accepted({ id, revision: loaded.tail.revision })
  const fields = { name, description, uploaded: true }
  return storeVersion(context, run, { id, bot: bot.value, content, fields })
}

const reachableBot = async (context: CommandContext, { command }: Run, fields: Fields): Promise<Result<Live>> => {
  const place = await placeOf(context, command.caller, version, fields, undefined)
  if (!place.ok) return place
  const { state } = await context.loader.load(botEntity, String(fields.bot))
  return state.status === 'live' ? accepted(state) : refused('entity.notfound')
}

/** The step that keeps a bot's present state before a version is applied to it. */
export const keepVersion = async (
  context: CommandContext,
  author: Author,
  { id, bot, name }: Extract<Step, { do: 'keepversion' }>,
): Promise<undefined> => {
  const loaded = await context.loader.load(version, id, { fresh: true })
  const { state } = await context.loader.load(botEntity, bot)
  if (loaded.state.status !== 'none' || state.status !== 'live') return
  const { position, ...content } = await captureVersion(context, state, { name, description: null })
  const { level } = state
  const stored = await writeContent(context, author, id, level, content)
  const fields = { name, uploaded: false, position, ...stored, bot, latest: true }
  const events = decideCreate(version, fields).map(event => withSource(event, { kind: 'apply', id: bot }))
  const kept = await commit(context, { author, reserved: new Map() }, { entity: version, id, level, loaded }, events)
  if (!kept.ok) throw new Error(`the present state could not be kept: ${kept.refusal.code}`)
}

/**
 * After this step no earlier version of the bot is the latest. Of two made at once the later one finds the earlier one,
 * in either order, so that one stays the latest.
 */
export const supersede = async (
  context: CommandContext,
  author: Author,
  { id, bot }: Extract<Step, { do: 'supersede' }>,
): Promise<undefined> => {
  await awaitLookup(context)
  const made = await madeAt(context, id)
  for (const { id: other, fields, level } of await liveChildren(context, 'bot', bot, version.name)) {
    if (other === id || fields.latest !== true || (await madeAt(context, other)) > made) continue
    const loaded = await context.loader.load(version, other, { fresh: true })
    if (loaded.state.status !== 'live' || loaded.state.fields.latest !== true) continue
    const writing = { author: { ...author, seed: derivedId(author.seed, `supersede:${other}`) }, reserved: new Map() }
    const events = [eventOf(version, 'Superseded', { fields: { latest: false } })]
    await commit(context, writing, { entity: version, id: other, level, loaded }, events)
  }
}

/** Positions are ordered as text. */
const madeAt = async ({ store }: CommandContext, id: string): Promise<string> => {
  for await (const { position } of store.read(entityStream(version.name, id), { limit: 1 })) return position
  return ''
}

import type { Live } from '#domain/behaviour.ts'
import type { Fields } from '#domain/entity.ts'
import { bot as botEntity } from '#schemas/entities/bot.ts'
import { version } from '#schemas/entities/version.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import { unusedId } from '../generic/create.ts'
import { placeOf } from '../lookup/parent-level.ts'
import type { Attempt, CommandContext } from '../pipeline/command-context.ts'
import { parseCreate } from '../pipeline/parse.ts'
import type { Run } from '../pipeline/run.ts'
import { storeVersion } from './store-version.ts'
import { takeVersion } from './take.ts'

/** Keeps the present state of a bot. Input {bot, name, description}. */
export const createVersion: Attempt = async (context, run) => {
  const parsed = await parseCreate(version, run.command.input, run.author.seed)
  if (!parsed.ok) return parsed
  const bot = await reachableBot(context, run, parsed.value.fields)
  if (!bot.ok) return bot
  const { name, description = null } = parsed.value.fields
  const words = typeof description === 'string' ? description : null
  const { position, ...content } = await takeVersion(context, bot.value, { name: String(name), description: words })
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

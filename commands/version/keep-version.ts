import { decideCreate, withSource } from '#domain/entity.ts'
import { bot as botEntity } from '#schemas/entities/bot.ts'
import { version } from '#schemas/entities/version.ts'
import type { Step } from '#schemas/events/process.ts'
import type { Author } from '../pipeline/author.ts'
import type { CommandContext } from '../pipeline/command-context.ts'
import { commit } from '../pipeline/commit.ts'
import { writeContent } from './content.ts'
import { takeVersion } from './take.ts'

/** The step that keeps a bot's present state before a version is applied to it. */
export const keepVersion = async (
  context: CommandContext,
  author: Author,
  { id, bot, name }: Extract<Step, { do: 'keepversion' }>,
): Promise<undefined> => {
  const loaded = await context.loader.load(version, id, { fresh: true })
  const { state } = await context.loader.load(botEntity, bot)
  if (loaded.state.status !== 'none' || state.status !== 'live') return
  const { position, ...content } = await takeVersion(context, state, { name, description: null })
  const { level } = state
  const stored = await writeContent(context, author, id, level, content)
  const fields = { name, uploaded: false, position, ...stored, bot, latest: true }
  const events = decideCreate(version, fields).map(event => withSource(event, { kind: 'apply', id: bot }))
  const kept = await commit(context, { author, reserved: new Map() }, { entity: version, id, level, loaded }, events)
  if (!kept.ok) throw new Error(`the present state could not be kept: ${kept.refusal.code}`)
}

import { bot as botEntity } from '#schemas/entities/bot.ts'
import { version } from '#schemas/entities/version.ts'
import type { Step } from '#schemas/events/process.ts'
import type { Author } from '../author.ts'
import type { Tools } from '../tools.ts'
import { storeVersion } from './store-version.ts'
import { takeVersion } from './take.ts'

/** The step that keeps a bot's present state before a version is applied to it. */
export const keepVersion = async (
  tools: Tools,
  author: Author,
  { id, bot, name }: Extract<Step, { do: 'keepversion' }>,
): Promise<undefined> => {
  const loaded = await tools.loader.load(version, id, { fresh: true })
  const { state } = await tools.loader.load(botEntity, bot)
  if (loaded.state.status !== 'none' || state.status !== 'live') return
  const { file, position } = await takeVersion(tools, state, { name, description: null })
  const fields = { name, uploaded: false, position }
  const source = { kind: 'apply', id: bot }
  const stored = await storeVersion(tools, author, { id, loaded, bot: state, file, fields, source })
  if (!stored.ok) throw new Error(`the present state could not be kept: ${stored.refusal.code}`)
}

import type { Live } from '#domain/behaviour.ts'
import { decideCreate, eventOf, initialFields, withSource } from '#domain/entity.ts'
import { version } from '#schemas/entities/version.ts'
import type { Json } from '#schemas/event.ts'
import type { EventSource } from '#schemas/events/process.ts'
import type { Result } from '#schemas/refusal.ts'
import type { VersionFile } from '#schemas/version-file.ts'
import type { Author } from '../author.ts'
import { type Committed, commit } from '../commit.ts'
import { derivedId } from '../event-id.ts'
import type { Loaded } from '../load.ts'
import { lookedUp } from '../process/contents.ts'
import type { Tools } from '../tools.ts'
import { writeContent } from './content.ts'
import { liveChildren } from './take.ts'

interface Kept {
  readonly id: string
  readonly loaded: Loaded
  readonly bot: Live
  readonly file: VersionFile
  readonly fields: Readonly<Record<string, Json>>
  readonly source?: EventSource
}

/** Writes a version's content and then the version; the one before it is the latest no more. */
export const storeVersion = async (tools: Tools, author: Author, kept: Kept): Promise<Result<Committed>> => {
  const { id, loaded, bot, file, source } = kept
  const { level } = bot
  const stored = await writeContent(tools, author, id, level, file)
  const fields = { ...initialFields(version), ...kept.fields, ...stored, bot: bot.id, latest: true }
  const events = decideCreate(version, fields).map(event => (source === undefined ? event : withSource(event, source)))
  const reserved = new Map()
  const committed = await commit(tools, { author, reserved }, { entity: version, id, level, loaded }, events)
  if (committed.ok) await supersede(tools, author, bot, id)
  return committed
}

const supersede = async (tools: Tools, author: Author, bot: Live, latest: string): Promise<void> => {
  await lookedUp(tools)
  for (const { id, fields } of await liveChildren(tools, 'bot', bot.id, 'version')) {
    if (id === latest || fields.latest !== true) continue
    const loaded = await tools.loader.load(version, id, { fresh: true })
    const events = [eventOf(version, 'Superseded', { fields: { latest: false } })]
    const by = { ...author, seed: derivedId(author.seed, `supersede:${id}`) }
    await commit(tools, { author: by, reserved: new Map() }, { entity: version, id, level: bot.level, loaded }, events)
  }
}

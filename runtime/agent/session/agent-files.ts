import { attachmentOf, ownerOf, shownName } from '../../conversation/engine/run-turn.ts'
import { sniffType } from '../../storage/sniff-type.ts'
import { BotFilesFull, type FileStorage } from '../../storage/storage-port.ts'
import type { AgentEvent } from '../agent-port.ts'
import type { Agents } from '../open-agents.ts'

/** The chat that events belong to. */
export interface AgentChatPlace {
  readonly conversation: string
  readonly channel: string
  /** Ids of events that were handled. */
  readonly seen: ReadonlySet<string>
}

interface FileParts {
  readonly agents: Pick<Agents, 'open'>
  readonly storage: Pick<FileStorage, 'put' | 'keep'>
  readonly baseUrl: () => string
  readonly failed: (error: unknown) => void
}

type File = NonNullable<Extract<AgentEvent, { kind: 'message' }>['files']>[number]

/**
 * Files of agents at our own address, where the channel's key is needed to read them: each is fetched once and kept by
 * its content. A file that is not there keeps the system's address.
 */
export const openAgentFiles =
  ({ agents, storage, baseUrl, failed }: FileParts) =>
  async ({ conversation, channel, seen }: AgentChatPlace, events: readonly AgentEvent[]) => {
    const isOf = (event: AgentEvent) =>
      event.kind === 'message' && (event.files ?? []).length > 0 && !seen.has(event.id)
    const found = events.some(isOf) ? await agents.open(channel) : undefined
    const fetchFile = found?.system.fetchFile
    if (found?.fields.attachment_needs_authentication !== true || fetchFile === undefined) return events
    const keep = async (file: File): Promise<File> => {
      const got = await fetchFile(file.url)
      if (!got.ok || got.value.length === 0) return file
      const content = Buffer.from(got.value)
      const name = shownName(file.name)
      const type = await sniffType(content, name)
      if (type === undefined) return file
      try {
        const stored = await storage.put({ content, name, type, owner: ownerOf(conversation) })
        await storage.keep(stored.id)
        return { name, type, url: String(attachmentOf(stored, baseUrl()).contentUrl) }
      } catch (error) {
        if (!(error instanceof BotFilesFull)) failed(error)
        return file
      }
    }
    return Promise.all(
      events.map(async event =>
        event.kind === 'message' && isOf(event)
          ? { ...event, files: await Promise.all((event.files ?? []).map(keep)) }
          : event,
      ),
    )
  }

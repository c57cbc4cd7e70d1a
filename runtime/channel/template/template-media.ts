import { createHash } from 'node:crypto'
import { appendAtEnd } from '#commands/pipeline/append.ts'
import type { EventStore } from '#commands/store/port.ts'
import type { MediaHeader } from '#domain/template/template-message.ts'
import { templateMediaStream } from '#schemas/events/campaign.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import { exclusiveDrafts } from '../../log/stream-aggregate.ts'
import type { FileStorage } from '../../storage/storage-port.ts'
import type { TemplateFile } from '../channel-port.ts'
import { isSameSecret } from '../shared/signature.ts'

/** A provider deletes an uploaded file after 30 days. */
const RENEWED_MS = 25 * 86_400_000
/** A signed address is valid this long: providers load files within minutes of a send. */
const LINK_MS = 7 * 86_400_000
/** An address that is valid for a shorter time is replaced. */
const FRESH_MS = LINK_MS / 2
const MAX_EVENTS = 4
const MAX_CACHED = 1000

type Source = Pick<MediaHeader, 'source' | 'filename'>

/** Files of templates as providers load them. */
export interface TemplateMedia {
  /** A signed address of a stored file. */
  link(file: string): Promise<Result<Source>>
  /** The id of an uploaded file. Uploads once per number and content, again after 25 days. */
  uploaded(
    number: string,
    file: string,
    upload: (file: TemplateFile) => Promise<Result<string>>,
  ): Promise<Result<Source>>
}

interface MediaParts {
  readonly storage: Pick<FileStorage, 'read' | 'find'>
  readonly store: () => Promise<EventStore>
  /** Base of addresses that providers call. */
  readonly baseUrl: () => string
  /** Signature of a text under a key of the installation. */
  readonly sign: (text: string) => string
  readonly now: () => number
}

/** The last upload of a content to a number; undefined: none. */
const lastUpload = async (store: EventStore, stream: string) => {
  for await (const { data } of store.read(stream, { direction: 'backwards', limit: 1 }))
    return { id: String(data.id), at: Number(data.at) }
  return undefined
}

const hashOf = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex')

const signedText = (hash: string, file: string, until: number): string => `media ${hash} ${file} ${until}`

/** Path and query of a file's address. */
const mediaPath = (hash: string, file: string, until: number, sign: MediaParts['sign']): string =>
  `/media/${hash}?file=${encodeURIComponent(file)}&until=${until}&key=${sign(signedText(hash, file, until))}`

/** Whether an address was signed here and is still valid. */
export const isMediaAddress = (
  { hash, file, until, key }: Readonly<Record<'hash' | 'file' | 'key', string>> & { readonly until: number },
  sign: MediaParts['sign'],
  now: number,
): boolean => until > now && until <= now + LINK_MS && isSameSecret(String(key), sign(signedText(hash, file, until)))

export const openTemplateMedia = ({ storage, store, baseUrl, sign, now }: MediaParts): TemplateMedia => {
  const links = new Map<string, { readonly until: number; readonly source: Source }>()
  const uploads = new Map<string, { readonly until: number; readonly source: Promise<Result<Source>> }>()
  const read = async (id: string) => {
    const found = await storage.read(id)
    return found === undefined ? refused('channel.media') : accepted(found)
  }

  const upload = async (
    number: string,
    id: string,
    send: (file: TemplateFile) => Promise<Result<string>>,
  ): Promise<Result<Source & { readonly at: number }>> => {
    const found = await read(id)
    if (!found.ok) return found
    const { file, content } = found.value
    const log = await store()
    const stream = templateMediaStream(number, hashOf(content))
    const known = await lastUpload(log, stream)
    const filename = file.name
    if (known !== undefined && now() - known.at < RENEWED_MS)
      return accepted({ source: { from: 'upload', id: known.id }, filename, at: known.at })
    const sent = await send({ name: file.name, type: file.type, content })
    if (!sent.ok) return sent
    const at = now()
    const data = { id: sent.value, at }
    await appendAtEnd(log, stream, exclusiveDrafts(stream, [{ type: 'TemplateMediaUploaded', data }]))
    await log.setMetadata(stream, { maxCount: MAX_EVENTS })
    return accepted({ source: { from: 'upload', id: sent.value }, filename, at })
  }

  return {
    async link(id) {
      const known = links.get(id)
      if (known !== undefined && known.until - now() > FRESH_MS) return accepted(known.source)
      const base = baseUrl()
      const found = await read(id)
      if (!found.ok) return found
      const { file, content } = found.value
      const until = now() + LINK_MS
      const url = `${base}${mediaPath(hashOf(content), id, until, sign)}`
      const source: Source = { source: { from: 'link', url }, filename: file.name }
      if (links.size >= MAX_CACHED) links.clear()
      links.set(id, { until, source })
      return accepted(source)
    },
    async uploaded(number, id, send) {
      const key = `${number} ${id}`
      const known = uploads.get(key)
      if (known !== undefined && known.until > now()) return known.source
      const source = upload(number, id, send)
      if (uploads.size >= MAX_CACHED) uploads.clear()
      uploads.set(key, { until: now() + RENEWED_MS, source })
      const made = await source.catch((error: unknown) => {
        uploads.delete(key)
        throw error
      })
      if (made.ok) uploads.set(key, { until: made.value.at + RENEWED_MS, source })
      else uploads.delete(key)
      return made
    },
  }
}

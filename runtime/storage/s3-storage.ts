import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { AwsClient } from 'aws4fetch'
import type { StoredFile } from '#commands/port.ts'
import { StoreUnavailable } from '#commands/store/port.ts'
import { FILE_ID } from '#schemas/field/file-type.ts'
import {
  createMeter,
  ID_LENGTH,
  newStoredFile,
  ownedBytes,
  ownedName,
  ownerConversation,
  randomFileId,
  readStoredFile,
  SWEEP_GRACE_MS,
  UNUSED_MS,
} from './received-content.ts'
import type { FileStorage } from './storage-port.ts'

const TIMEOUT_MS = 20_000
/** Retries after a 5xx or 429; the client waits between them. */
const RETRIES = 2
/** Size of the parts of a large object; a service takes none below 5 MiB but the last, bytes. */
const PART_BYTES = 5 * 1_048_576
/** Keys that list the files of a conversation: `of/<conversation>/<id>.<bytes>`. */
const OWNED = 'of/'

export interface S3Place {
  /** Address of the service; the bucket is the first path segment. */
  readonly endpoint: string
  readonly region: string
  readonly bucket: string
  /** '' or ends with '/'. */
  readonly prefix: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string
}

interface Listed {
  readonly key: string
  readonly modified: number
}

/** `ListObjectsV2` returns flat XML; the keys are generated here and contain no XML entities. */
const listedIn = (xml: string): readonly Listed[] =>
  [...xml.matchAll(/<Contents>([\s\S]*?)<\/Contents>/gu)].flatMap(([, entry = '']) => {
    const key = /<Key>([^<]*)<\/Key>/u.exec(entry)?.[1]
    const modified = Date.parse(/<LastModified>([^<]*)<\/LastModified>/u.exec(entry)?.[1] ?? '')
    return key === undefined || Number.isNaN(modified) ? [] : [{ key, modified }]
  })

const nextOf = (xml: string): string | undefined =>
  /<NextContinuationToken>([^<]*)<\/NextContinuationToken>/u.exec(xml)?.[1]

type Send = (method: string, address: string, init?: RequestInit) => Promise<Response>

/** Parts of an object that is not there until `complete`. */
const beginParts = async (address: string, type: string, send: Send, bodyOf: (answer: Response) => Promise<Buffer>) => {
  const begun = await send('POST', `${address}?uploads=`, { headers: { 'content-type': type } })
  const upload = /<UploadId>([^<]+)<\/UploadId>/u.exec((await bodyOf(begun)).toString('utf8'))?.[1]
  if (upload === undefined) throw new StoreUnavailable(`${address} begins no upload`)
  const query = `uploadId=${encodeURIComponent(upload)}`
  const tags: string[] = []
  return {
    async add(content: Buffer) {
      const at = `${address}?partNumber=${tags.length + 1}&${query}`
      const answer = await send('PUT', at, { body: new Uint8Array(content) })
      tags.push(answer.headers.get('etag') ?? '')
    },
    async complete() {
      const parts = tags.map((tag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${tag}</ETag></Part>`)
      const body = `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`
      const answer = await send('POST', `${address}?${query}`, { body })
      // A service can fail after it began to answer with 200; 404 may be the answer to a repeated call.
      const isDone = answer.status !== 404 && (await bodyOf(answer)).includes('CompleteMultipartUploadResult')
      if (!isDone && (await send('HEAD', address)).status === 404)
        throw new StoreUnavailable(`${address} does not complete the upload`)
    },
    abort: async () => void (await send('DELETE', `${address}?${query}`)),
  }
}

interface ListedBucket {
  readonly root: string
  readonly prefix: string
  readonly bucket: string
  readonly send: Send
  readonly bodyOf: (answer: Response) => Promise<Buffer>
}

/** Objects whose key, after the prefix of the place, begins with `below`. */
async function* listBelow({ root, prefix, bucket, send, bodyOf }: ListedBucket, below: string): AsyncGenerator<Listed> {
  for (let token: string | undefined, first = true; first || token !== undefined; first = false) {
    const query = new URLSearchParams({ 'list-type': '2', prefix: prefix + below })
    if (token !== undefined) query.set('continuation-token', token)
    const answer = await send('GET', `${root}?${query}`)
    if (answer.status === 404) throw new StoreUnavailable(`the bucket ${bucket} does not exist`)
    const xml = (await bodyOf(answer)).toString('utf8')
    for (const { key, modified } of listedIn(xml)) yield { key: key.slice(prefix.length), modified }
    token = nextOf(xml)
  }
}

const sizeAt = async (address: string, send: Send): Promise<number> => {
  const answer = await send('HEAD', address)
  return answer.status === 404 ? 0 : Number(answer.headers.get('content-length') ?? 0)
}

/** Requests of one bucket. */
const bucketOf = (place: S3Place, timeoutMs: number) => {
  const { endpoint, region, bucket, prefix, accessKeyId, secretAccessKey, sessionToken } = place
  const client = new AwsClient({
    accessKeyId,
    secretAccessKey,
    ...(sessionToken === undefined ? {} : { sessionToken }),
    service: 's3',
    region,
    retries: RETRIES,
  })
  const root = `${endpoint}/${encodeURIComponent(bucket)}`
  /** @throws StoreUnavailable without a response, or when the response is an error */
  const send = async (method: string, address: string, init: RequestInit = {}): Promise<Response> => {
    let answer: Response
    try {
      answer = await client.fetch(address, { ...init, method, signal: AbortSignal.timeout(timeoutMs) })
    } catch (error) {
      throw new StoreUnavailable(`the bucket ${bucket} does not answer: ${error instanceof Error ? error.message : ''}`)
    }
    if (answer.ok || answer.status === 404 || answer.status === 412) return answer
    throw new StoreUnavailable(`the bucket ${bucket} answers ${method} with ${answer.status}`)
  }
  /** @throws StoreUnavailable when the body ends early or not in time */
  const bodyOf = async (answer: Response): Promise<Buffer> => {
    try {
      return Buffer.from(await answer.arrayBuffer())
    } catch (error) {
      throw new StoreUnavailable(`the bucket ${bucket} broke off: ${error instanceof Error ? error.message : ''}`)
    }
  }
  const addressOf = (key: string) => `${root}/${prefix}${key}`
  return {
    /** Returns whether the object was written: false when the key exists. */
    async put(key: string, content: Buffer | string, type: string) {
      const headers = { 'content-type': type, 'if-none-match': '*' }
      const body = typeof content === 'string' ? content : new Uint8Array(content)
      return (await send('PUT', addressOf(key), { body, headers })).status !== 412
    },
    async get(key: string): Promise<{ readonly content: Buffer; readonly modified: number } | undefined> {
      const answer = await send('GET', addressOf(key))
      if (answer.status === 404) return undefined
      const content = await bodyOf(answer)
      const length = Number(answer.headers.get('content-length') ?? content.length)
      if (length !== content.length) throw new StoreUnavailable(`the bucket ${bucket} cut ${key} short`)
      return { content, modified: Date.parse(answer.headers.get('last-modified') ?? '') }
    },
    /** The content as it arrives: an answer that is cut short ends with an error. */
    async open(key: string): Promise<Readable | undefined> {
      const answer = await send('GET', addressOf(key))
      if (answer.status === 404 || answer.body === null) return undefined
      return Readable.fromWeb(answer.body as ReadableStream<Uint8Array>)
    },
    beginParts: (key: string, type: string) => beginParts(addressOf(key), type, send, bodyOf),
    /** Bytes of an object; 0 if there is none. */
    sizeOf: (key: string) => sizeAt(addressOf(key), send),
    has: async (key: string) => (await send('HEAD', addressOf(key))).status !== 404,
    remove: async (key: string) => void (await send('DELETE', addressOf(key))),
    list: (below = '') => listBelow({ root, prefix, bucket, send, bodyOf }, below),
  }
}

const ownedKey = (conversation: string, file: Pick<StoredFile, 'id' | 'size'>): string =>
  `${OWNED}${conversation}/${ownedName(file)}`

const nameIn = (key: string): string => key.slice(key.lastIndexOf('/') + 1)

const keyOf = (id: string): string => `${id.slice(0, 2)}/${id}`

/** Writes the metadata of a file, and its content by `place`. */
const writerOf =
  (bucket: ReturnType<typeof bucketOf>) =>
  async (file: StoredFile, place: (key: string) => Promise<unknown>): Promise<StoredFile> => {
    const conversation = ownerConversation(file.owner)
    // Written first: a file without it would outlive its conversation.
    if (conversation !== undefined) await bucket.put(ownedKey(conversation, file), '', 'text/plain')
    await place(keyOf(file.id))
    await bucket.put(`${keyOf(file.id)}.json`, JSON.stringify(file), 'application/json')
    return file
  }

/** Files of conversations. */
const ownedIn = (
  bucket: ReturnType<typeof bucketOf>,
  remove: (id: string) => Promise<void>,
): Pick<FileStorage, 'removeOf' | 'conversations' | 'owned'> => ({
  async removeOf(conversation) {
    const keys: string[] = []
    for await (const { key } of bucket.list(`${OWNED}${conversation}/`)) keys.push(key)
    for (const key of keys) {
      await remove(nameIn(key).slice(0, ID_LENGTH))
      await bucket.remove(key)
    }
  },
  async *conversations() {
    let last = ''
    for await (const { key } of bucket.list(OWNED)) {
      const conversation = key.split('/')[1] ?? ''
      if (conversation !== last) yield conversation
      last = conversation
    }
  },
  async *owned() {
    for await (const { key } of bucket.list(OWNED)) {
      const [, conversation = ''] = key.split('/')
      const name = nameIn(key)
      yield { conversation, bytes: ownedBytes(name) ?? (await bucket.sizeOf(keyOf(name.slice(0, ID_LENGTH)))) }
    }
  },
})

/**
 * Files in a bucket of an S3-compatible service, named as in the folder: `ab/<id>` is the content, `ab/<id>.json` its
 * metadata, `ab/<id>.kept` marks it as used. The bucket need not be public.
 */
export const openS3Storage = async (
  place: S3Place,
  now: () => number = Date.now,
  timeoutMs: number = TIMEOUT_MS,
): Promise<FileStorage> => {
  const bucket = bucketOf(place, timeoutMs)
  const isKept = (id: string) => bucket.has(`${keyOf(id)}.kept`)
  const known = async (id: string) => {
    const found = FILE_ID.test(id) ? await bucket.get(`${keyOf(id)}.json`) : undefined
    return found && { file: readStoredFile(found.content.toString('utf8')), modified: found.modified }
  }
  // Verifies at the start that the bucket exists and is readable.
  await bucket.list().next()

  const write = writerOf(bucket)
  const remove = async (id: string): Promise<void> => {
    if (!FILE_ID.test(id)) return
    for (const end of ['', '.json', '.kept']) await bucket.remove(keyOf(id) + end)
  }

  return {
    put: upload => write(newStoredFile(upload), key => bucket.put(key, upload.content, upload.type)),

    receive: async ({ content, name }) => {
      const id = randomFileId()
      const { met, place, discard } = await receiveParts(bucket, keyOf(id), name, content)
      return { ...met, discard, store: (type, owner) => write({ id, name, type, size: met.size, owner }, place) }
    },

    async find(id) {
      const found = await known(id)
      if (found === undefined || now() - found.modified < UNUSED_MS || (await isKept(id))) return found?.file
      return undefined
    },

    async keep(id) {
      if (FILE_ID.test(id)) await bucket.put(`${keyOf(id)}.kept`, '', 'text/plain')
    },

    async read(id) {
      const found = await known(id)
      const content = found && (await bucket.get(keyOf(id)))
      return found === undefined || content === undefined ? undefined : { file: found.file, content: content.content }
    },

    async open(id) {
      const found = await known(id)
      const content = found && (await bucket.open(keyOf(id)))
      return found === undefined || content === undefined ? undefined : { file: found.file, content }
    },

    remove,

    ...ownedIn(bucket, remove),

    sweep: () => sweepBucket(bucket, now, isKept),
  }
}

/** Reads a content and sends what of it does not fit into one part; the rest is sent by `place`. */
const receiveParts = async (
  bucket: ReturnType<typeof bucketOf>,
  key: string,
  name: string,
  content: AsyncIterable<Buffer>,
) => {
  const meter = createMeter(name)
  let parts: Awaited<ReturnType<typeof bucket.beginParts>> | undefined
  let waiting: Buffer[] = []
  let bytes = 0
  const discard = async () => parts?.abort()
  try {
    for await (const chunk of content) {
      meter.add(chunk)
      waiting.push(chunk)
      bytes += chunk.length
      if (bytes < PART_BYTES) continue
      parts ??= await bucket.beginParts(key, 'application/octet-stream')
      await parts.add(Buffer.concat(waiting))
      waiting = []
      bytes = 0
    }
  } catch (error) {
    await discard()
    throw error
  }
  const place = async () => {
    const rest = Buffer.concat(waiting)
    if (parts === undefined) return bucket.put(key, rest, 'application/octet-stream')
    if (rest.length > 0) await parts.add(rest)
    return parts.complete()
  }
  return { met: await meter.end(), place, discard }
}

/** Removes the mark that a conversation owns a file. */
const removeOwned = async (bucket: ReturnType<typeof bucketOf>, key: string): Promise<void> => {
  const content = (await bucket.get(key))?.content
  const file = content === undefined ? undefined : readStoredFile(content.toString('utf8'))
  const conversation = ownerConversation(file?.owner ?? '')
  if (file !== undefined && conversation !== undefined) await bucket.remove(ownedKey(conversation, file))
}

/** Removes files that were unused for long enough; returns their number. */
const sweepBucket = async (
  bucket: ReturnType<typeof bucketOf>,
  now: () => number,
  isKept: (id: string) => Promise<boolean>,
): Promise<number> => {
  const old: string[] = []
  const kept = new Set<string>()
  for await (const { key, modified } of bucket.list()) {
    const id = key.slice(3, 67)
    if (!FILE_ID.test(id)) continue
    if (key.endsWith('.kept')) kept.add(id)
    else if (now() - modified >= UNUSED_MS + SWEEP_GRACE_MS) old.push(key)
  }
  let swept = 0
  for (const key of old) {
    const id = key.slice(3, 67)
    if (kept.has(id) || (await isKept(id))) continue
    if (key.endsWith('.json')) await removeOwned(bucket, key)
    await bucket.remove(key)
    if (!key.endsWith('.json')) swept += 1
  }
  return swept
}

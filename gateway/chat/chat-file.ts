import type { MultipartFile } from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { StoredFile } from '#commands/port.ts'
import { conversationOf, ownerOf, shownName } from '#runtime/conversation/engine/run-turn.ts'
import type { FileStorage } from '#runtime/storage/storage-port.ts'
import { FILE_TYPES } from '#schemas/field/file-type.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import { RequestRefused } from '../http/failure.ts'
import { contentDisposition, FILE_SANDBOX } from '../http/headers.ts'
import { contentOf } from '../http/multipart.ts'
import { type PublicRoute, requestValue } from '../http/public-route-checks.ts'
import { refuse } from '../problem.ts'
import { chatOf } from './chat-access.ts'
import type { ChatParts } from './chat-port.ts'

/** Files of one conversation within an hour. */
const MAX_FILES = 50
const HOUR_MS = 3_600_000
/** Uploads of a node that are remembered. */
const MAX_RECENT = 2_000

/** Files of the last uploads of this node. The same file again, after an answer that was lost, is answered with the first. */
const recentFiles = (storage: Pick<FileStorage, 'find'>) => {
  const ids = new Map<string, string>()
  return {
    async find(key: string): Promise<StoredFile | undefined> {
      const id = ids.get(key)
      const file = id === undefined ? undefined : await storage.find(id)
      if (file === undefined) ids.delete(key)
      return file
    },
    add(key: string, id: string): void {
      ids.set(key, id)
      const [oldest] = ids.keys()
      if (ids.size > MAX_RECENT && oldest !== undefined) ids.delete(oldest)
    },
  }
}

/** Stores a person's file, if its channel accepts such files. */
export const createUpload = (app: FastifyInstance, { storage, rates }: ChatParts) => {
  const limit = rates.add('chat file', MAX_FILES, HOUR_MS)
  const recent = recentFiles(storage)
  return async (request: FastifyRequest, part: MultipartFile): Promise<Result<StoredFile>> => {
    const { conversation, channel } = chatOf(request)
    const retryAfter = limit.take(conversation)
    if (retryAfter !== undefined) return refused('request.toomany', { params: { retryAfter } })
    const name = shownName(part.filename)
    const counted = (bytes: number) => app.openDoor.count(request, 'filebytes', { amount: bytes })
    const received = await storage.receive({ content: contentOf(part, counted), name, conversation })
    const { size, type } = received
    const again = JSON.stringify([conversation, received.hash, name])
    const stored = await recent.find(again)
    if (stored !== undefined) {
      await received.discard()
      return accepted(stored)
    }
    const allowed = FILE_TYPES.filter(known => !channel.deniedTypes.includes(known))
    if (size > 0 && type !== undefined && allowed.includes(type)) {
      const file = await received.store(type, ownerOf(conversation))
      recent.add(again, file.id)
      return accepted(file)
    }
    await received.discard()
    const errors = [{ path: 'file', code: 'option', params: { options: allowed } } as const]
    return refused('validation.failed', { errors })
  }
}

export type UploadFile = ReturnType<typeof createUpload>

/** GET /chat/files/{id}: a sent file, at an address known only to those it was shown to. */
export const addChatFile = (app: FastifyInstance, { storage, conversations }: ChatParts): void => {
  const found = requestValue<StoredFile>()
  const door: PublicRoute = {
    async target(request) {
      const { file: id } = request.params as { readonly file: string }
      const file = /^[\w-]{1,100}$/.test(id) ? await storage.find(id) : undefined
      const conversation = conversationOf(file?.owner ?? '')
      const owner = conversation === undefined ? undefined : await conversations.owner(conversation)
      if (file === undefined || owner === undefined) throw new RequestRefused({ code: 'entity.notfound' })
      found.set(request, file)
      return { channel: owner.channel }
    },
  }
  app.get('/chat/files/:file', { config: { door } }, async (request, reply) => {
    const { id, name, type, size } = found.of(request)
    const content = (await storage.open(id))?.content
    if (content === undefined) return refuse(reply, { code: 'entity.notfound' })
    const isShown = /^(?:image|audio|video)\//.test(type)
    return reply
      .header('cache-control', 'private, no-cache')
      .header('cross-origin-resource-policy', 'cross-origin')
      .header('content-security-policy', FILE_SANDBOX)
      .header('x-content-type-options', 'nosniff')
      .header('content-disposition', contentDisposition(isShown ? 'inline' : 'attachment', name))
      .type(type.startsWith('text/') ? `${type}; charset=utf-8` : type)
      .header('content-length', size)
      .send(content)
  })
}

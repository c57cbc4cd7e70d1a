import type { FastifyInstance } from 'fastify'
import type { StoredFile } from '#commands/port.ts'
import { fileAddress } from '#domain/cloud-file.ts'
import { SYSTEM_SCOPE } from '#projections/scope.ts'
import { isMediaAddress } from '#runtime/channel/template/template-media.ts'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { FILE_TYPES } from '#schemas/field/file-type.ts'
import { accepted, type FieldErrorCode } from '#schemas/refusal.ts'
import { RequestRefused } from '../http/failure.ts'
import { handle } from '../http/handle.ts'
import { contentDisposition, FILE_SANDBOX } from '../http/headers.ts'
import { addMultipart, bytesOf, contentOf, filePartOf, MULTIPART_FRAME } from '../http/multipart.ts'
import { type PublicRoute, requestValue, Unproven } from '../http/public-route-checks.ts'
import type { Parts, Session } from '../port.ts'
import { refuse } from '../problem.ts'
import { runWrite, sessionOf } from './command.ts'

const MAX_NAME = 255
/** Unused uploads stay for a day: one person fills at most 12 GB with them. */
const MAX_UPLOADS_PER_HOUR = 500
const HOUR_MS = 3_600_000
/** Computers run files with these extensions when opened, regardless of content. */
const PROGRAM_NAME = /\.(?:bat|cmd|com|cpl|dll|exe|hta|jse|lnk|msc|msi|ps1|reg|scr|vbe|vbs|wsf|wsh)[. ]*$/iu
/** A browser that opens a file runs no code of it. */
const SANDBOX = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

/** Files of fields: uploaded first, then given as the value of a field. */
export const addFile = async (app: FastifyInstance, parts: Parts): Promise<void> => {
  const { storage, settings } = parts
  const fileSize = bytesOf(settings.UPLOAD_MB)
  const limit = parts.rates.add('upload', MAX_UPLOADS_PER_HOUR, HOUR_MS)
  await app.register(async uploads => {
    await addMultipart(uploads, { fileSize })
    handle(uploads, 'POST /file', { bodyLimit: fileSize + MULTIPART_FRAME }, async (request, reply) => {
      const { user } = sessionOf(request).access
      const wait = limit.take(user)
      if (wait !== undefined) throw new RequestRefused({ code: 'request.toomany', params: { retryAfter: wait } })
      const part = await filePartOf(request)
      const name = shownName(part.filename)
      const received = await storage.receive({ content: contentOf(part), name })
      let isStored = false
      try {
        const { size, type, hash } = received
        if (size === 0) throw wrongFile('toosmall', { min: 1 })
        if (type === undefined || PROGRAM_NAME.test(name)) throw wrongFile('option', { options: FILE_TYPES })
        const store = async () => {
          isStored = true
          const { owner: _owner, ...file } = await received.store(type, user)
          return accepted({ result: file })
        }
        const done = await runWrite(parts, request, reply, store, { body: { name, content: hash } })
        return done === undefined ? reply : reply.send(done)
      } finally {
        // The same upload again is answered with the file of the first one.
        if (!isStored) await received.discard()
      }
    })
  })
  addDownload(app, parts)
}

const addDownload = (app: FastifyInstance, parts: Parts): void => {
  const { storage } = parts
  handle(app, 'GET /file/{id}', {}, async (request, reply) => {
    const { id } = request.params
    const file = await storage.find(id)
    if (file === undefined || !(await mayRead(parts, sessionOf(request), id, file.owner)))
      return refuse(reply, { code: 'entity.notfound' })
    reply
      .header('cache-control', 'private, no-cache')
      .header('etag', `"${id}"`)
      .header('content-security-policy', SANDBOX)
      .header('x-content-type-options', 'nosniff')
      .header('content-disposition', contentDisposition(isShown(file.type) ? 'inline' : 'attachment', file.name))
    if (request.headers['if-none-match'] === `"${id}"`) return reply.code(304).send()
    const opened = await storage.open(id)
    if (opened === undefined) return refuse(reply, { code: 'entity.notfound' })
    return reply
      .type(file.type.startsWith('text/') ? `${file.type}; charset=utf-8` : file.type)
      .header('content-length', file.size)
      .send(opened.content)
  })
}

/** Pages show pictures, sounds and videos; other types are downloads. */
const isShown = (type: string): boolean => /^(?:image|audio|video)\//.test(type)

const wrongFile = (code: FieldErrorCode, params: { readonly [name: string]: number | readonly string[] } = {}) =>
  new RequestRefused({ code: 'validation.failed', errors: [{ path: 'file', code, params }] })

/** The last part of a path, without control characters. */
const shownName = (given: string): string => {
  const last = given.toWellFormed().split(/[\\/]/).at(-1) ?? ''
  const name = last.replace(/[\p{Cc}\u2028\u2029]/gu, '').trim()
  return name === '' ? 'file' : shortened(name)
}

/** Keeps the extension of a name that is too long. */
const shortened = (name: string): string => {
  if (name.length <= MAX_NAME) return name
  const extension = /\.\w{1,10}$/.exec(name)?.[0] ?? ''
  return name.slice(0, MAX_NAME - extension.length).toWellFormed() + extension
}

/** Readers of a thing that holds or held the file; its uploader while nothing does. */
const mayRead = async ({ read }: Parts, { scope, caller }: Session, file: string, owner: string): Promise<boolean> => {
  const holders = await read.fileHolders(scope, file)
  if (holders === undefined) return owner === caller.user
  return holders.some(({ entity }) => caller.permits(`read${entity}`))
}

/** Bots whose flows are looked through for one question. */
const MAX_BOTS = 50
const MAX_FIELDS = 200
const TIMEOUT_MS = 3000
/** Characters of a longer name: `logo` is no link within `logo.png`. A full stop before a space ends a sentence. */
const NAME_GOES_ON = /^[.(-]*[\w%]/u

const holds = (value: string, text: string): boolean => {
  for (let at = value.indexOf(text); at !== -1; at = value.indexOf(text, at + 1))
    if (!NAME_GOES_ON.test(value.slice(at + text.length))) return true
  return false
}

type FileLink = AnswerOf<'GET /cloudfile/{id}/links'>['items'][number]

/** GET /cloudfile/{id}/links: the flows whose blocks, and the things whose fields, hold the address of a file. */
export const addFileLinks = (app: FastifyInstance, { read, commands }: Parts): void => {
  handle(app, 'GET /cloudfile/{id}/links', { permission: 'readcloudfile' }, async (request, reply) => {
    const { scope, caller } = sessionOf(request)
    const row = await read.detail(scope, 'cloudfile', request.params.id)
    if (row === undefined) return refuse(reply, { code: 'entity.notfound' })
    const text = `/botadmin/files/${String(row.address)}`
    const bots = await read.list(scope, 'bot', { page: 1, size: MAX_BOTS, filter: {} })
    const items: FileLink[] = []
    const end = performance.now() + TIMEOUT_MS
    let complete = bots.total <= MAX_BOTS
    for (const bot of bots.items) {
      if (performance.now() > end) {
        complete = false
        break
      }
      const asked = { bot: bot.id, may: (kind: 'dialog' | 'handler') => caller.permits(`read${kind}`) }
      const found = await commands.findInFlows(asked, { text, isExact: true, isWholeWord: false })
      if (found.unfinished !== undefined) complete = false
      for (const { kind, id, name, hits } of found.items) {
        const hit = hits.find(({ after }) => !NAME_GOES_ON.test(after))
        if (hit !== undefined) items.push({ entity: kind, id, title: name, bot: String(bot.name), block: hit.block })
      }
    }
    const fields = await read.fieldsWithText(scope, text, MAX_FIELDS)
    for (const { entity, id, title, field, value } of fields) {
      if (entity === 'cloudfile' || !holds(value, text)) continue
      items.push({ entity, id, title, bot: '', block: '', field })
    }
    return { items, complete: complete && fields.length < MAX_FIELDS }
  })
}

/** Addresses that are unknown, or without a valid signature, that one client may ask for in a minute. */
const MAX_MISSES = 120
/** s that a browser shows a file without asking again: a removed one disappears after that. */
const MAX_AGE = 60

interface Params {
  readonly level: string
  readonly name: string
}

const fileOf = (value: unknown): string | undefined =>
  typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'string' ? value.id : undefined

/** GET /botadmin/files/{level}/{name}: files uploaded to the cloud, for any caller. */
export const addPublicFile = (app: FastifyInstance, { read, storage }: Parts): void => {
  const files = requestValue<StoredFile>()
  const door: PublicRoute = {
    failures: { name: 'public file', most: MAX_MISSES },
    isLight: true,
    async target(request) {
      const { level, name } = request.params as Params
      const filter = { address: fileAddress(level.toWellFormed(), name.toWellFormed()) }
      const [row] = (await read.list(SYSTEM_SCOPE, 'cloudfile', { page: 1, size: 1, filter })).items
      const id = fileOf(row?.file)
      const file = id === undefined ? undefined : await storage.find(id)
      if (file === undefined) throw new Unproven({ code: 'entity.notfound' })
      files.set(request, file)
      return undefined
    },
  }
  app.get<{ Params: Params }>('/botadmin/files/:level/:name', { config: { door } }, async (request, reply) => {
    const { id, type } = files.of(request)
    reply
      .header('cache-control', `public, max-age=${MAX_AGE}`)
      .header('etag', `"${id}"`)
      .header('access-control-allow-origin', '*')
      .header('cross-origin-resource-policy', 'cross-origin')
      .header('content-security-policy', FILE_SANDBOX)
      .header('x-content-type-options', 'nosniff')
      .header(
        'content-disposition',
        contentDisposition(isShownInPublic(type) ? 'inline' : 'attachment', request.params.name),
      )
    if (request.headers['if-none-match'] === `"${id}"`) return reply.code(304).send()
    const found = await storage.open(id)
    if (found === undefined) return refuse(reply, { code: 'entity.notfound' })
    return reply
      .type(type.startsWith('text/') ? `${type}; charset=utf-8` : type)
      .header('content-length', found.file.size)
      .send(found.content)
  })
}

/** Pictures, sounds, videos and PDF are shown where they are linked; other types are downloads. */
const isShownInPublic = (type: string): boolean => /^(?:image|audio|video)\/|^application\/pdf$/.test(type)

type Query = Readonly<Partial<Record<'file' | 'until' | 'key', string>>>

/** GET /media/{hash}: files of templates, for providers that load them from a signed address. */
export const addTemplateFile = (app: FastifyInstance, { storage, mediaSignature }: Parts): void => {
  const files = requestValue<StoredFile>()
  const door: PublicRoute = {
    failures: { name: 'template file', most: MAX_MISSES },
    isLight: true,
    async target(request) {
      const { hash } = request.params as { readonly hash: string }
      const { file = '', until = '', key = '' } = request.query as Query
      const isSigned = isMediaAddress({ hash, file, key, until: Number(until) }, mediaSignature, Date.now())
      const found = isSigned ? await storage.find(file) : undefined
      if (found === undefined) throw new Unproven({ code: 'entity.notfound' })
      files.set(request, found)
      return undefined
    },
  }
  app.get('/media/:hash', { config: { door } }, async (request, reply) => {
    const found = await storage.open(files.of(request).id)
    if (found === undefined) return refuse(reply, { code: 'entity.notfound' })
    const { type, name, size } = found.file
    return reply
      .header('cache-control', 'private, max-age=3600')
      .header('content-security-policy', FILE_SANDBOX)
      .header('x-content-type-options', 'nosniff')
      .header('content-disposition', contentDisposition('inline', name))
      .header('content-length', size)
      .type(type)
      .send(found.content)
  })
}

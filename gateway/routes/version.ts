import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { unpacked } from '#commands/packed-text.ts'
import { TimeSlicer } from '#commands/time-slicer.ts'
import type { Preview } from '#commands/version/preview.ts'
import { checkRead, mayReadAll } from '#commands/version/version-rights.ts'
import { PREVIEWED_FLOWS } from '#schemas/api/version.ts'
import { ENTITIES } from '#schemas/entities/registry.ts'
import { type EntityDeclaration, isSingle } from '#schemas/entity.ts'
import { VERSION_ROOT } from '#schemas/versioned.ts'
import { handle, type IdRequest } from '../http/handle.ts'
import { contentDisposition } from '../http/headers.ts'
import { addMultipart, contentOf, filePartOf, MULTIPART_FRAME } from '../http/multipart.ts'
import type { Parts } from '../port.ts'
import { refuse } from '../problem.ts'
import { callerOf, runCommand, sessionOf } from './command.ts'

type PreviewedThing = Preview['things'][number]

/** Characters that are written at once. */
const PART = 64_000

/** A preview as JSON, part by part: that of a large version has tens of MB. */
async function* previewText(preview: Preview): AsyncGenerator<string> {
  const slices = new TimeSlicer()
  let text = ''
  for (const [index, [member, list]] of Object.entries(previewAnswer(preview)).entries()) {
    text += `${index === 0 ? '{' : ','}${JSON.stringify(member)}:[`
    for (const [at, item] of list.entries()) {
      text += `${at === 0 ? '' : ','}${JSON.stringify(item)}`
      if (text.length < PART) continue
      yield text
      text = ''
      await slices.pause()
    }
    text += ']'
  }
  yield `${text}}`
}

/** A preview as the API answers it: all things, and apart from each other its flows and its settings. */
const previewAnswer = ({ things, stays }: Preview): Readonly<Record<string, readonly unknown[]>> => {
  const flows = PREVIEWED_FLOWS.map(({ member, entity, parent }) => [
    member,
    things
      .filter(thing => thing.entity === entity)
      .map(({ id, name, within, state, summary }) => ({ id, name, [parent]: within.at(-1) ?? '', state, summary })),
  ])
  const isFlow = ({ entity }: PreviewedThing) => PREVIEWED_FLOWS.some(flow => flow.entity === entity)
  const settings = things.filter(thing => !isFlow(thing)).flatMap(settingsOf)
  return { ...Object.fromEntries(flows), settings, things, stays }
}

/** Paths begin with the kind and name of the thing: `dialogtask.Reserva.showinmenu`; those of the bot are its fields. */
const settingsOf = ({ entity, name, state, changes }: PreviewedThing) => {
  if (state === 'added') return [{ path: `${entity}.${name}`, before: null, after: name }]
  if (state === 'removed') return [{ path: `${entity}.${name}`, before: name, after: null }]
  const prefix = entity === VERSION_ROOT ? '' : isOnly(entity) ? `${entity}.` : `${entity}.${name}.`
  return changes.map(({ path, before, after }) => ({ path: prefix + path, before, after }))
}

const DECLARED: Readonly<Record<string, EntityDeclaration>> = ENTITIES

const isOnly = (name: string): boolean => {
  const entity = DECLARED[name]
  return entity !== undefined && isSingle(entity)
}

const FILE_LIMIT = 64_000_000
const JSON_TYPE = 'application/json; charset=utf-8'

/** Versions as files: brought in, taken out, and looked at before they are applied. */
export const addVersion = async (app: FastifyInstance, parts: Parts): Promise<void> => {
  addReads(app, parts)
  // Only this route reads multipart: the plugin stays in this scope.
  await app.register(async uploads => {
    await addMultipart(uploads, { fileSize: FILE_LIMIT, fields: 10 })
    addUpload(uploads, parts)
  })
}

function addReads(app: FastifyInstance, { read, commands }: Parts): void {
  const config = { permission: 'readversion' }

  const rowOf = (request: IdRequest) => read.detail(sessionOf(request).scope, 'version', request.params.id)
  const missing = (reply: FastifyReply) => refuse(reply, { code: 'entity.notfound' })

  handle(app, 'GET /version/{id}/download', config, async (request, reply) => {
    const row = await rowOf(request)
    if (row === undefined) return missing(reply)
    const { id } = request.params
    const content = await commands.versionContent(id)
    if (content === undefined) return missing(reply)
    const caller = callerOf(request)
    const outline = mayReadAll(caller) ? undefined : await commands.versionOutline(id)
    const permitted = outline?.ok ? checkRead(caller, outline.value) : outline
    if (permitted?.ok === false) return refuse(reply, permitted.refusal)
    const name = contentDisposition('attachment', `${String(row.name)}.parley-version.json`)
    return reply.header('content-disposition', name).type(JSON_TYPE).send(unpacked(content))
  })

  handle(app, 'GET /version/{id}/preview', config, async (request, reply) => {
    const row = await rowOf(request)
    if (row === undefined) return missing(reply)
    const { id } = request.params
    const caller = callerOf(request)
    const opened = await commands.versionPreview(id, caller)
    if (opened === undefined) return missing(reply)
    if (!opened.ok) return refuse(reply, opened.refusal)
    const { file, preview } = opened.value
    const permitted = checkRead(caller, file, preview)
    if (!permitted.ok) return refuse(reply, permitted.refusal)
    return reply.type(JSON_TYPE).send(Readable.from(previewText(preview)))
  })
}

function addUpload(app: FastifyInstance, parts: Parts): void {
  handle(
    app,
    'POST /version/upload',
    { bodyLimit: FILE_LIMIT + MULTIPART_FRAME, permission: 'createversion' },
    async (request, reply) => {
      const { content, hash } = await uploaded(request)
      const input = { bot: request.query.bot, file: hash }
      const done = await runCommand(parts, request, reply, { entity: 'version', action: 'upload', input, content })
      return done === undefined ? reply : reply.send({ id: done.id, revision: done.revision })
    },
  )
}

/** The bytes of the field `file`, and their SHA-256. */
async function uploaded(request: FastifyRequest): Promise<{ content: readonly Uint8Array[]; hash: string }> {
  const content: Uint8Array[] = []
  const hash = createHash('sha256')
  for await (const chunk of contentOf(await filePartOf(request))) {
    hash.update(chunk)
    content.push(chunk)
  }
  return { content, hash: hash.digest('hex') }
}

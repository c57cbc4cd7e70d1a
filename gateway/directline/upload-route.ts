import type { MultipartFile } from '@fastify/multipart'
import type { FastifyInstance } from 'fastify'
import { readJsonBody } from '#commands/pipeline/parse.ts'
import { directLineParam, MAX_CHAT_BODY, sentActivity } from '#schemas/api/chat.ts'
import { sizeRefusal } from '../chat/accept-message.ts'
import { chatOf } from '../chat/chat-access.ts'
import { RequestRefused } from '../http/failure.ts'
import { addMultipart, bytesOf, contentOf, MULTIPART_FRAME } from '../http/multipart.ts'
import { refuse } from '../problem.ts'
import type { DirectLineAccess, DirectLineServices } from './direct-line-access.ts'
import { type SentActivity, sentMessage } from './sent-message.ts'

/** Files of one activity. */
const MAX_FILES = 5
const ACTIVITY = 'activity'

const readActivity = (content: Buffer): SentActivity => {
  const json = readJsonBody(content)
  if (!json.ok) throw new RequestRefused(json.refusal)
  const activity = sentActivity.safeParse(json.value)
  if (activity.success) return activity.data
  throw new RequestRefused({ code: 'validation.failed', errors: [{ path: ACTIVITY, code: 'format' }] })
}

/** An activity is a message: it is no larger than a body of one. */
const activityBytes = async (part: MultipartFile): Promise<Buffer> => {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of contentOf(part)) {
    size += chunk.length
    if (size > MAX_CHAT_BODY) throw new RequestRefused({ code: 'request.toolarge' })
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** POST …/upload: files, with the activity that they belong to. */
export const addUpload = async (
  app: FastifyInstance,
  services: DirectLineServices,
  access: DirectLineAccess,
): Promise<void> => {
  const fileSize = bytesOf(services.parts.settings.UPLOAD_MB_CHAT)
  await app.register(async files => {
    await addMultipart(files, { fileSize, files: MAX_FILES + 1 })
    files.post(
      '/directline/:channel/conversations/:id/upload',
      {
        bodyLimit: MAX_FILES * fileSize + MULTIPART_FRAME,
        config: { door: access.doors.session({ counts: 'file', isUpload: true }) },
        schema: { params: directLineParam },
      },
      async (request, reply) => {
        if (!request.isMultipart()) return refuse(reply, { code: 'request.mediatype' })
        const session = chatOf(request)
        let activity: SentActivity = { type: 'message' }
        const ids: string[] = []
        for await (const part of request.files()) {
          if (part.fieldname === ACTIVITY) {
            activity = readActivity(await activityBytes(part))
            continue
          }
          const stored = await services.upload(request, part)
          if (!stored.ok) return refuse(reply, stored.refusal)
          ids.push(stored.value.id)
        }
        const message = sentMessage(activity, ids)
        if (message === undefined)
          return refuse(reply, { code: 'validation.failed', errors: [{ path: 'file', code: 'required' }] })
        const tooLarge = sizeRefusal(message)
        if (tooLarge !== undefined) return refuse(reply, tooLarge.refusal)
        const accepted = await services.accept(session, message)
        return accepted.ok ? { id: message.id } : refuse(reply, accepted.refusal)
      },
    )
  })
}

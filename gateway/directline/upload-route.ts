import type { FastifyInstance } from 'fastify'
import { readJsonBody } from '#commands/pipeline/json-body.ts'
import { directLineParam, sentActivity } from '#schemas/api/direct-line.ts'
import { MAX_FILE_BYTES } from '#schemas/field/file-type.ts'
import { sizeRefusal } from '../chat/accept-message.ts'
import { chatOf } from '../chat/chat-access.ts'
import { addMultipart, MULTIPART_FRAME, wholeContentOf } from '../http/multipart.ts'
import { RequestRefused } from '../http/request-refused.ts'
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

/** POST …/upload: files, with the activity that they belong to. */
export const addUpload = async (
  app: FastifyInstance,
  services: DirectLineServices,
  access: DirectLineAccess,
): Promise<void> => {
  await app.register(async files => {
    await addMultipart(files, { files: MAX_FILES + 1 })
    files.post(
      '/directline/:channel/conversations/:id/upload',
      {
        bodyLimit: MAX_FILES * MAX_FILE_BYTES + MULTIPART_FRAME,
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
            activity = readActivity(await wholeContentOf(part))
            continue
          }
          const stored = await services.upload(session, part)
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

import type { JsonObject } from '#schemas/event.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import { fieldText } from '../../ml/read-answer.ts'
import type { FileStorage } from '../../storage/port.ts'
import type { Graph } from '../meta/graph.ts'
import type { OpenAccount } from '../meta/open-account.ts'

interface MediaUpload {
  readonly graph: Graph
  readonly storage: Pick<FileStorage, 'read'>
  readonly account: OpenAccount
}

/**
 * Uploads a stored file for the review of a template and returns its handle. Handles are short-lived: each submission
 * needs a new one.
 */
const uploadMedia = async ({ graph, storage, account }: MediaUpload, id: string): Promise<Result<string>> => {
  const found = await storage.read(id)
  if (found === undefined) return refused('validation.failed', { errors: [{ path: 'header_file', code: 'reference' }] })
  const { file, content } = found
  const query = { file_name: file.name, file_length: String(content.length), file_type: file.type }
  const app = fieldText(account.app, 'app_id')
  const session = await graph.ask(account.credentials, { method: 'POST', path: `/${app}/uploads`, query })
  if (!session.ok) return session
  const sent = await graph.upload(account.credentials, fieldText(session.value, 'id'), content)
  if (!sent.ok) return sent
  const handle = fieldText(sent.value, 'h')
  return handle === '' ? refused('meta.answer') : accepted(handle)
}

/** Components with Meta's handles in place of the ids of stored files. */
export const withHandles = async (
  upload: MediaUpload,
  components: readonly JsonObject[],
): Promise<Result<readonly JsonObject[]>> => {
  const text = JSON.stringify(components)
  const ids = [...new Set([...text.matchAll(/"header_handle":\["([^"]{1,200})"\]/gu)].map(([, id = '']) => id))]
  const handles = new Map<string, string>()
  for (const id of ids) {
    const handle = await uploadMedia(upload, id)
    if (!handle.ok) return handle
    handles.set(id, handle.value)
  }
  const replaced = text.replace(
    /"header_handle":\["([^"]{1,200})"\]/gu,
    (_, id: string) => `"header_handle":${JSON.stringify([handles.get(id) ?? ''])}`,
  )
  return accepted(JSON.parse(replaced) as JsonObject[])
}

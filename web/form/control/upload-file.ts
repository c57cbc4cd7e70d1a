import type { FileValue } from '#schemas/field/value-schema.ts'
import { api } from '#web/api/client.ts'

/** Uploads a file that a field can then hold. */
export const uploadFile = (file: File): Promise<FileValue> => {
  const body = new FormData()
  body.set('file', file)
  return api.post<FileValue>('/file', body)
}

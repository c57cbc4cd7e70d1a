import type { FileValue } from '#schemas/field/value-schema.ts'
import { http } from '#web/api/http.ts'
import type { UploadOptions } from '#web/components/use-upload-progress.ts'

/** Uploads a file that a field can then hold. */
export const uploadFile = (file: File, options: Partial<UploadOptions> = {}): Promise<FileValue> =>
  http.upload('/file', file, options)

import type { FileValue } from '#schemas/field/value-schema.ts'
import { http } from '#web/api/http.ts'

/** Uploads a file that a field can then hold. */
export const uploadFile = (file: File): Promise<FileValue> => http.upload('/file', file)

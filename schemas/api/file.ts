import { z } from 'zod'
import { FILE_TYPES, MAX_UPLOAD_BYTES } from '../field/file-type.ts'
import { FILE_ID, fileSchema } from '../field/value-schema.ts'
import { named } from './name.ts'

export const fileAnswer = named('File', fileSchema({ accept: FILE_TYPES, maxBytes: MAX_UPLOAD_BYTES }))

export const fileParam = z.object({ id: z.string().regex(FILE_ID) })

export const fileBody = z.object({ file: z.string().meta({ format: 'binary' }) })

/** CSV or JSON lines, streamed. */
export const exportAnswer = z.string()

/** File content in its own media type. */
export const fileContent = z.string().meta({ format: 'binary' })

import { FILE_TYPES } from '#schemas/field/file-type.ts'
import type { FileField, ImageField } from '#schemas/field/kind.ts'
import { useUploadProgress } from '#web/components/use-upload-progress.ts'
import type { Value } from '#web/entity/entity-query.ts'
import { useProblemText } from '../use-problem-text.ts'
import { uploadFile } from './upload-file.ts'

/** Uploads a file for a field. A file that the field cannot take is refused before it is sent, in the server's words. */
export const useUpload = ({ accept, maxBytes }: FileField | ImageField, onUploaded: (file: Value) => void) => {
  const text = useProblemText()
  const progress = useUploadProgress()
  const refusalOf = (file: File): string | undefined => {
    if (file.size > maxBytes) return text('field.toolarge', { max: maxBytes })
    if (file.size === 0) return text('field.toosmall', { min: 1 })
    // The server finds the type in the content; the browser's guess counts only where it is a known type.
    const known = FILE_TYPES.find(type => type === file.type)
    return known !== undefined && !accept.includes(known) ? text('field.option') : undefined
  }
  const upload = async (file: File) => {
    const refusal = refusalOf(file)
    progress.fail(refusal)
    if (refusal !== undefined) return
    await progress.run(async options => {
      const stored = await uploadFile(file, options)
      if (accept.includes(stored.type)) onUploaded({ ...stored })
      else progress.fail(text('field.option'))
    })
  }
  return { upload, progress }
}

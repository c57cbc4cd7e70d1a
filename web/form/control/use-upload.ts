import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FILE_TYPES } from '#schemas/field/file-type.ts'
import type { FileField, ImageField } from '#schemas/field/kind.ts'
import { isProblem } from '#web/api/problem.ts'
import type { Value } from '#web/entity/entity-query.ts'
import { useProblemText } from '../use-problem-text.ts'
import { uploadFile } from './upload-file.ts'

/** Uploads a file for a field. A file that the field cannot take is refused before it is sent, in the server's words. */
export const useUpload = ({ accept, maxBytes }: FileField | ImageField, onUploaded: (file: Value) => void) => {
  const { t } = useTranslation('shell')
  const text = useProblemText()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string>()
  const refusalOf = (file: File): string | undefined => {
    if (file.size > maxBytes) return text('field.toolarge', { max: maxBytes })
    if (file.size === 0) return text('field.toosmall', { min: 1 })
    // The server finds the type in the content; the browser's guess counts only where it is a known type.
    const known = FILE_TYPES.find(type => type === file.type)
    return known !== undefined && !accept.includes(known) ? text('field.option') : undefined
  }
  const send = async (file: File) => {
    const stored = await uploadFile(file)
    if (accept.includes(stored.type)) onUploaded({ ...stored })
    else setError(text('field.option'))
  }
  const upload = async (file: File) => {
    const refusal = refusalOf(file)
    setError(refusal)
    if (refusal !== undefined) return
    setBusy(true)
    try {
      await send(file)
    } catch (failure) {
      const hasText = isProblem(failure) && failure.code !== 'network'
      setError(hasText ? (failure.errors[0]?.message ?? failure.message) : t('error.noanswer'))
    } finally {
      setBusy(false)
    }
  }
  return { upload, busy, error }
}

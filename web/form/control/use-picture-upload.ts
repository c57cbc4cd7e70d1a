import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { IMAGE_TYPES, MAX_FILE_BYTES } from '#schemas/field/file-type.ts'
import { http } from '#web/api/http.ts'
import { isProblem } from '#web/api/problem.ts'
import { useProblemText } from '../use-problem-text.ts'
import { uploadFile } from './upload-file.ts'

const MAX_NAME = 150
const FILES = '/botadmin/files/'

/** Makes an uploaded picture a file of the cloud and answers its public address. */
export const usePictureUpload = (onUploaded: (address: string) => void) => {
  const { t } = useTranslation('shell')
  const text = useProblemText()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string>()
  const refusalOf = ({ size, type }: File): string | undefined => {
    if (size > MAX_FILE_BYTES) return text('field.toolarge', { max: MAX_FILE_BYTES })
    return IMAGE_TYPES.some(known => known === type) ? undefined : text('field.option')
  }
  const reasonOf = (failure: unknown): string => {
    if (!isProblem(failure) || failure.code === 'network') return t('error.noanswer')
    if (failure.code === 'entity.name.taken') return t('form.pictures.taken')
    return failure.errors[0]?.message ?? failure.message
  }
  const upload = async (file: File) => {
    const refusal = refusalOf(file)
    setError(refusal)
    if (refusal !== undefined) return
    setBusy(true)
    try {
      const stored = await uploadFile(file)
      const body = { name: file.name.slice(-MAX_NAME), file: { ...stored } }
      const { id } = await http.post('/{entity}', { params: { entity: 'cloudfile' }, body })
      const { address } = await http.get('/{entity}/{id}', { params: { entity: 'cloudfile', id } })
      onUploaded(`${location.origin}${FILES}${String(address)}`)
    } catch (failure) {
      setError(reasonOf(failure))
    } finally {
      setBusy(false)
    }
  }
  return { upload, busy, error }
}

import { useTranslation } from 'react-i18next'
import type { FileValue } from '#schemas/field/value-schema.ts'
import { isProblem } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'
import { type UploadOptions, useUploadProgress } from '#web/components/upload-progress.tsx'
import { useProblemText } from '../use-problem-text.ts'

/** Uploads a file that a field can then hold. */
export const uploadFile = (file: File, options: Partial<UploadOptions> = {}): Promise<FileValue> =>
  http.upload('/file', file, options)

const MAX_NAME = 150
const FILES = '/botadmin/files/'

export interface CloudUpload {
  readonly address: string
  readonly name: string
  /** Media type that the server found in the content. */
  readonly type: string
}

interface CloudUploadOptions {
  readonly accept: readonly string[]
  readonly maxBytes: number
  /** A taken name gets a suffix instead of a refusal. */
  readonly isRenamed?: boolean
  readonly onUploaded: (file: CloudUpload) => void
}

const suffixed = (name: string): string => {
  const dot = name.lastIndexOf('.')
  const stem = dot > 0 ? name.slice(0, dot) : name
  return `${stem}-${Date.now().toString(36)}${dot > 0 ? name.slice(dot) : ''}`
}

const isTaken = (failure: unknown) => isProblem(failure) && failure.code === 'entity.name.taken'

/** Makes an uploaded file a file of the cloud and answers its public address. */
export const useCloudUpload = ({ accept, maxBytes, isRenamed = false, onUploaded }: CloudUploadOptions) => {
  const { t } = useTranslation('shell')
  const text = useProblemText()
  const progress = useUploadProgress()
  const refusalOf = ({ size, type }: File): string | undefined => {
    if (size > maxBytes) return text('field.toolarge', { max: maxBytes })
    return accept.includes(type) ? undefined : text('field.option')
  }
  const reasonOf = (failure: unknown) => (isTaken(failure) ? t('form.pictures.taken') : undefined)
  const create = (name: string, file: Awaited<ReturnType<typeof uploadFile>>) =>
    http.post('/{entity}', { params: { entity: 'cloudfile' }, body: { name, file: { ...file } } })
  const upload = async (file: File) => {
    const refusal = refusalOf(file)
    progress.fail(refusal)
    if (refusal !== undefined) return
    await progress.run(async options => {
      const stored = await uploadFile(file, options)
      const name = file.name.slice(-MAX_NAME)
      const { id } = await create(name, stored).catch(failure => {
        if (!isRenamed || !isTaken(failure)) throw failure
        return create(suffixed(name).slice(-MAX_NAME), stored)
      })
      const { address } = await http.get('/{entity}/{id}', { params: { entity: 'cloudfile', id } })
      onUploaded({ address: `${location.origin}${FILES}${String(address)}`, name: file.name, type: stored.type })
    }, reasonOf)
  }
  return { upload, progress }
}

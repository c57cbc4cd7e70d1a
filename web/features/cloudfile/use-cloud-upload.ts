import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { cloudfile } from '#schemas/entities/cloudfile.ts'
import { FILE_TYPES, MAX_UPLOAD_BYTES } from '#schemas/field/file-type.ts'
import { isProblem } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'
import { isCut } from '#web/components/use-upload-progress.ts'
import { useEntityCommand } from '#web/entity/entity-command.ts'
import { uploadFile } from '#web/form/control/use-cloud-upload.ts'

/** One file of an upload, and what became of it. */
export interface UploadState {
  readonly key: number
  readonly name: string
  readonly state: 'running' | 'done' | 'failed'
  /** Address below `/botadmin/files/` of one that is done. */
  readonly address?: string
  /** Why it is not there. */
  readonly message?: string | undefined
  /** Share that is sent, 0 to 1. */
  readonly share?: number | undefined
  readonly cancel?: (() => void) | undefined
  /** Sends it again after a cut connection. */
  readonly retry?: (() => void) | undefined
}

let last = 0

/** Uploads files one after the other and makes each a file of the session's level. */
export const useCloudUpload = () => {
  const { t } = useTranslation('entity/cloudfile')
  const { t: shell } = useTranslation('shell')
  const { refresh } = useEntityCommand(cloudfile)
  const [uploads, setUploads] = useState<readonly UploadState[]>([])
  const change = (key: number, next: Partial<UploadState>) =>
    setUploads(before => before.map(one => (one.key === key ? { ...one, ...next } : one)))

  const reasonOf = (failure: unknown): string => {
    if (isCut(failure)) return shell('progress.cut')
    if (!isProblem(failure) || failure.status >= 500) return t('upload.failed')
    if (failure.code === 'entity.name.taken') return t('upload.exists')
    // The limit is a setting of the gateway.
    if (failure.code === 'request.toolarge') return failure.message
    return `${t('upload.not')}: ${failure.errors[0]?.message ?? failure.message}`
  }
  const refusalOf = ({ size, type }: File): string | undefined => {
    if (size > MAX_UPLOAD_BYTES) return t('upload.toobig')
    if (size === 0) return `${t('upload.not')}: ${t('upload.empty')}`
    const isRefused = type !== '' && /html|svg|xml|script/u.test(type) && !FILE_TYPES.some(one => one === type)
    return isRefused ? `${t('upload.not')}: ${t('upload.script')}` : undefined
  }
  const send = async (file: File, key: number) => {
    const refusal = refusalOf(file)
    if (refusal !== undefined) return change(key, { state: 'failed', message: refusal })
    const controller = new AbortController()
    const { signal } = controller
    const onProgress = (share: number) => signal.aborted || change(key, { share })
    change(key, { state: 'running', message: undefined, share: 0, retry: undefined, cancel: () => controller.abort() })
    try {
      const stored = await uploadFile(file, { signal, onProgress })
      change(key, { cancel: undefined })
      const { id } = await http.post('/{entity}', {
        params: { entity: 'cloudfile' },
        body: { name: file.name.slice(-150), file: { ...stored } },
      })
      const { address } = await http.get('/{entity}/{id}', { params: { entity: 'cloudfile', id } })
      change(key, { state: 'done', share: undefined, address: String(address) })
    } catch (failure) {
      if (signal.aborted) return setUploads(before => before.filter(one => one.key !== key))
      const retry = isCut(failure) ? () => void send(file, key).then(refresh) : undefined
      change(key, { state: 'failed', share: undefined, cancel: undefined, message: reasonOf(failure), retry })
    }
  }
  const upload = async (files: readonly File[]) => {
    const begun = files.map((file): UploadState & { file: File } => {
      last += 1
      return { key: last, name: file.name, state: 'running', file }
    })
    setUploads(before => [...begun.map(({ file: _file, ...one }) => one), ...before])
    for (const { file, key } of begun) await send(file, key)
    await refresh()
  }
  return { uploads, upload, clear: () => setUploads([]) }
}

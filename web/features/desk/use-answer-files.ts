import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DESK_LIMITS } from '#schemas/api/desk.ts'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { isObject, objectsOf } from '#schemas/json.ts'
import { failureOf } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'
import { bytesOf } from '#web/format/number.ts'
import { notice } from '#web/notice/notice.ts'
import type { CannedAnswer } from './canned.ts'
import type { DeskChatDetail } from './desk-query.ts'

export type StoredFile = AnswerOf<'POST /file'>

/** Files of a canned answer, which are stored already. */
export const filesOfCanned = ({ attachments }: CannedAnswer): readonly StoredFile[] =>
  objectsOf(attachments).flatMap(({ file }) => (isObject(file) ? [file as unknown as StoredFile] : []))

const matchesType = (type: string, allowed: string): boolean =>
  allowed === '*' || allowed === type || (allowed.endsWith('/*') && type.startsWith(allowed.slice(0, -1)))

/** Why the channel does not take a file; undefined when it does. No listed type: every type is allowed. */
const refusalOf = (
  { type, size }: File,
  { files, filesize }: DeskChatDetail['limits'],
): 'type' | 'size' | undefined => {
  if (size > filesize) return 'size'
  return files.length > 0 && !files.some(allowed => matchesType(type, allowed)) ? 'type' : undefined
}

/** Files that are uploaded for the next answer. The channel's limits are checked before the upload. */
export const useAnswerFiles = ({ limits }: DeskChatDetail) => {
  const { t } = useTranslation('desk')
  const [files, setFiles] = useState<readonly StoredFile[]>([])
  const [isBusy, setBusy] = useState(false)
  const take = (stored: readonly StoredFile[]) => setFiles(before => [...before, ...stored].slice(0, DESK_LIMITS.files))
  const add = async (chosen: readonly File[]) => {
    setBusy(true)
    try {
      for (const file of chosen.slice(0, DESK_LIMITS.files - files.length)) {
        const refusal = refusalOf(file, limits)
        if (refusal === undefined) take([await http.upload('/file', file)])
        else
          notice.toast(t(`file.${refusal}`, { name: file.name, size: bytesOf(limits.filesize) }), { tone: 'warning' })
      }
    } catch (failure) {
      notice.toast(failureOf(failure, t('file.failed')), { tone: 'danger' })
    } finally {
      setBusy(false)
    }
  }
  return {
    files,
    isBusy,
    take,
    add: (chosen: readonly File[]) => void add(chosen),
    remove: (id: string) => setFiles(before => before.filter(one => one.id !== id)),
    clear: () => setFiles([]),
  }
}

export type AnswerFiles = ReturnType<typeof useAnswerFiles>
